/** A call of `pay`, as a model makes it. */
export interface Payment {
  readonly to: string;
  readonly amount: number;
}

/** A message of a model that makes payments. A message of the same name, conversation and user is the same message, sent again. */
export interface PaymentMessage {
  readonly name: string;
  /** The conversation as the host names it; absent if nobody does. */
  readonly conversation?: string;
  readonly user?: string;
  /** Each has its position as the id of its call, in every message. */
  readonly payments: readonly Payment[];
}

/** A person is asked about more than this. */
export const LARGE = 300;

/** A process of a host, and the person who is asked there. */
interface PayingProcess<Contract, Request> {
  readonly contract: Contract;
  /** Answers a request of the guardrails: with a grant, unless the person declines. */
  readonly answer: (request: Request) => Promise<string | undefined>;
}

/** A framework with the tool `pay`, whose own way of asking a person is used. */
interface ReplayHost<Contract, Request> {
  /**
   * Has a model say the message and the person answer, and returns what the model reads of each payment. A message that comes again is
   * sent as the framework would: by a node that is restarted, a stored state that is resumed once more, a client's retry.
   */
  send(
    message: PaymentMessage,
    process: PayingProcess<Contract, Request>,
  ): Promise<readonly string[]>;
}

/** What the tool does. */
export type Pay = (payment: Payment, call: PayingCall) => unknown;

/** What a host knows of a call as it runs. */
interface PayingCall {
  /** The key under which the bank recognises the payment. */
  readonly key: string | undefined;
  /** Interrupts the run until a person has answered; absent if the host cannot. */
  readonly pause?: () => unknown;
}

/** What a case may need of its host, and not every host has. */
export type ReplayNeed =
  /** A message that asks a person can come again. */
  | "comes again"
  /** So it can in another process, which names it in the same way. */
  | "comes again elsewhere"
  /** A message whose call a process died in goes on in another process. */
  | "goes on elsewhere"
  /** A tool can interrupt its run, and goes on when a person has answered. */
  | "pauses"
  /** The calls of one message are known to be of one message. */
  | "messages"
  /** A call can be made for a user. */
  | "users"
  /** A call that is made again has its key. */
  | "keys"
  /** A guardrail's question in a conversation that nobody names reaches a person, who answers with a grant. */
  | "grants";

/** The policies that the table creates guardrails with. */
export interface ReplayPolicies {
  readonly guardrails: readonly object[];
  readonly effects: Readonly<Record<"pay", "irreversible" | "idempotent">>;
  readonly limits?: Readonly<Record<string, object>>;
  readonly spends?: Readonly<Record<string, (call: { readonly args: Payment }) => object>>;
  readonly ledger: never;
  readonly records: never;
  readonly keepResults?: boolean;
  readonly grants: { readonly secret: string; readonly store: never };
}

/** Guardrails, as far as this table uses them. */
interface ReplayGuardrails<Request> {
  grant(request: Request, by: { readonly by: string; readonly expiresIn: number }): Promise<string>;
  usage(limit: string): Promise<{ readonly spent: number; readonly inDoubt: number }>;
  reconcile(ask: () => "done"): Promise<{ readonly done: number }>;
}

/** The contract's own functions, and how a host is set up. */
export interface ReplayKit<Contract, Request> {
  readonly createContract: (options: {
    readonly guardrails: never;
    readonly repeatedCalls?: "run" | "once";
    readonly logger: (fields: object, message: string) => void;
  }) => Contract;
  readonly createGuardrails: (options: ReplayPolicies) => ReplayGuardrails<Request>;
  readonly createLedger: () => unknown;
  readonly createRecords: () => unknown;
  /** How a person is asked about a large payment: by a guardrail, or by an approval that the host's tool asks for itself. */
  readonly asks: "guardrail" | "tool";
  /** What the host cannot keep, and why. */
  readonly cannot?: Readonly<Partial<Record<ReplayNeed, string>>>;
  /** Sets up the host; `pay` is what the tool does. */
  readonly createHost: (pay: Pay) => ReplayHost<Contract, Request>;
}

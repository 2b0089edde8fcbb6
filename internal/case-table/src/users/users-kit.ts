/** A call of the tool `pay`, as a user's model makes it. */
export interface PayCall {
  readonly id: string;
  readonly name: "pay";
  /** The arguments as JSON, the same for every user. */
  readonly arguments: string;
}

/** A process in which all users share one guarded set of tools. */
export interface UsersHost {
  /** Runs one user's agent. The model makes the calls that `next` returns; once there are none, it says something. */
  run(next: () => Promise<readonly PayCall[]>): Promise<unknown>;
}

/** The contract's own functions, and what the tools of a host do. */
export interface UsersKit<Contract, Guardrails> {
  readonly createContract: (options: {
    readonly guardrails?: Guardrails;
    readonly maxFailures?: number;
    readonly logger: (fields: object, message: string) => void;
    readonly onEscalation?: (escalation: { readonly summary: string }) => void;
  }) => Contract;
  readonly createGuardrails: (options: {
    readonly guardrails: readonly [];
    readonly effects: { readonly pay: "idempotent" };
  }) => Guardrails;
  readonly currentAttempt: () => {
    readonly callId: string;
    readonly idempotencyKey: string | undefined;
  };
  /** False if nothing says of which run a call is: a tool that only fails is then not closed. */
  readonly tellsRunsApart?: boolean;
  /** Sets up the host with the tool `pay`, which takes `{ amount }`. */
  readonly createHost: (contract: Contract, pay: () => Promise<string>) => UsersHost;
}

/** What a person is asked, as far as this table reads it. */
export interface AskedOf {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly digest: string;
  readonly seal: string;
}

/** A call that a user's model makes. */
export interface AskedCall {
  readonly id: string;
  readonly name: "pay" | "refund";
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly user: string;
  readonly conversationId: string;
}

/** A framework with the tools `pay` and `refund`, whose own way of asking a person is used. */
export interface GrantHost<Contract, Request> {
  /**
   * Has a model make the call. If a person is asked, goes on with what `answer` gives in place of a grant.
   *
   * @param open - The contract of the process: asked again for what happens after the person has answered.
   * @returns What the model reads.
   */
  call(
    call: AskedCall,
    open: () => Contract,
    answer: (request: Request) => Promise<unknown>,
  ): Promise<string>;
}

/** The policies that the table creates guardrails with. */
interface Policies {
  readonly guardrails: readonly {
    readonly name: string;
    readonly check: (call: {
      readonly args: { readonly amount: number };
    }) => false | string | { readonly ask: string };
  }[];
  readonly effects: Readonly<Record<"pay" | "refund", "irreversible">>;
  readonly clock: () => number;
  readonly grants: { readonly secret: string; readonly store: never };
}

/** The contract's own functions, and how a host is set up. */
export interface GrantsKit<Contract, Request> {
  readonly createContract: (options: {
    readonly guardrails: never;
    readonly logger: false;
  }) => Contract;
  readonly createGuardrails: (options: Policies) => {
    grant(
      request: Request,
      by: { readonly by: string; readonly expiresIn: number },
    ): Promise<string>;
  };
  /** Where used grants are kept, such as a ledger. */
  readonly createStore: () => unknown;
  /** Sets up the host; `run` is what both tools do. */
  readonly createHost: (
    run: (tool: string, args: unknown) => string,
  ) => GrantHost<Contract, Request>;
}

import type { Message } from "../wire/index.ts";

/**
 * A connection between one client and the server, as the gate sees it.
 *
 * One object for each stdio process, HTTP session, HTTP request without a session, or transport of an SDK server. A
 * request and its response carry the same object.
 */
export interface Link {
  /** The conversation whose attempts are counted together. */
  readonly attemptKey: string;
  /** Whose calls are the same under one idempotency key, in whatever trace or session they come; `attemptKey` if absent. */
  readonly caller?: string;
  /** Whose conversation it is, such as an address: in a full register of this process, owners displace their own. */
  readonly owner?: string;
  /** What the connection is made of, for metrics. */
  readonly transport?: "pipe" | "tcp";
  /** Which tool list the client sees: other credentials may see other tools. */
  readonly listKey: string;
  /**
   * Requests one page of the tools on the gate's behalf, unseen by the client, and returns the result object.
   * Rejects on an error response. `like` is the call that needs the list: its `_meta` is copied, without the progress
   * token.
   */
  listTools(params: Message, like: Message): Promise<unknown>;
  /**
   * Calls a tool on behalf of a stage, unseen by the client, and returns the result object; absent if the connection
   * cannot. Rejects on an error response and when the connection ends. `like` is the call that it is made for.
   */
  callTool?(params: Message, like: Message): Promise<unknown>;
  /**
   * Asks the person at the client with `elicitation/create`, and returns the result object; undefined, or absent, if the client
   * or the connection cannot. `like` is the call that it is about, and `signal` says that it was cancelled.
   */
  elicit?(params: Message, like: Message, signal: AbortSignal): Promise<unknown> | undefined;
  /**
   * Sends a notification to the server in the client's name; absent if the connection cannot. `like` is the request that
   * it is about.
   */
  notify?(message: Message, like: Message): void;
}

/** A forwarded call with limits. */
export interface LimitedCall {
  /** Whether the call's time is over, so that a response is dropped. */
  readonly isOver: () => boolean;
  /** Resolves to the client's answer once the time is over; absent without a limit of time. */
  readonly givenUp?: Promise<Message>;
  /** Call it if no response will come, such as after a lost connection: gives the call's place in its queue back. */
  end(): void;
}

/** What happens to a client's message: it is forwarded, answered here, or dropped. */
export type Ruling =
  /** Forward the original bytes; or this message instead, in which arguments were repaired. */
  | {
      readonly kind: "forward";
      readonly message?: Message;
      /** The limits of a tool call, if the user has set any. */
      readonly limited?: LimitedCall;
    }
  | { readonly kind: "answer"; readonly message: Message }
  /** For a call that the client cancelled while it was held, and for that cancellation. */
  | { readonly kind: "drop" };

/** Neither forwards nor answers. */
export const DROP: Ruling = Object.freeze({ kind: "drop" });

/** Forwards the original bytes. */
export const FORWARD: Ruling = Object.freeze({ kind: "forward" });

import type { Message } from "../wire/index.ts";

/**
 * The way between one client and the server, as far as the gate needs it.
 *
 * One object for each stdio process, HTTP session, HTTP request without a session, or transport of an SDK server;
 * a request and its response pass with the same object.
 */
export interface Link {
  /** Whose attempts these are. */
  readonly attemptKey: string;
  /** Whose list of tools this is: other credentials may see other tools. */
  readonly listKey: string;
  /**
   * Asks the server for one page of its tools on the gate's own behalf and gives the result object; rejects on an
   * error answer. The client never sees it. `like` is the call that needs it: its `_meta` is copied, minus the
   * progress token.
   */
  listTools(params: Message, like: Message): Promise<unknown>;
}

/** What becomes of a client's message: it goes on, is answered here, or ends here. */
export type Ruling =
  /** The original bytes go on; or, only where the user has JSON text in strings unwrapped, this message instead. */
  | { readonly kind: "forward"; readonly message?: Message }
  | { readonly kind: "answer"; readonly message: Message }
  /** A call that the client cancelled while it was held, and that cancellation. */
  | { readonly kind: "drop" };

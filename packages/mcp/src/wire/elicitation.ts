import { createOwnRequests, type OwnRequests } from "./own-requests.ts";
import { isRecord, type Message } from "@toolcontract/mcp-client/wire";

/** Asks the person at a client, if the client can. */
export interface Elicitation {
  /** Reads a client's message; true if it answers a question, and is for nobody else. */
  read(message: Message): boolean;
  /**
   * Asks, and waits for the answer; undefined if the client has not said that it can ask. Once `signal` is aborted, the answer is
   * not waited for.
   */
  readonly ask: (
    params: Message,
    like: Message,
    signal: AbortSignal,
  ) => Promise<unknown> | undefined;
  /** Rejects what is outstanding. */
  close(): void;
}

/** Creates what asks over one connection; `send` gets the question, and the request that it is about. */
export function createElicitation(send: (question: Message, about: Message) => void): Elicitation {
  let canAsk = false;
  let about: Message = {};
  const own: OwnRequests = createOwnRequests((question) => send(question, about));
  return {
    read(message) {
      if (message["method"] === "initialize") canAsk = mayAsk(message);
      return own.waiting() && own.take(message);
    },
    ask(params, like, signal) {
      if (!canAsk) return undefined;
      about = like;
      return own.elicit(params, signal);
    },
    close: own.close,
  };
}

/** Whether a client says with its first message that it can ask a person. */
export function mayAsk({ params }: Message): boolean {
  return canElicit(isRecord(params) ? params["capabilities"] : undefined);
}

/** Whether a client with these capabilities can show a person a form. */
export function canElicit(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isRecord(elicitation)) return false;
  // Without a mode, forms are meant.
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}

import { createOwnRequests, type OwnRequests } from "./own-requests.ts";
import { isRecord, type Message } from "./message.ts";

/** Asks the person at a client, if the client can. */
export interface Elicitation {
  /** Reads a client's message; true if it answers a question, and is for nobody else. */
  read(message: Message): boolean;
  /** Asks, and waits for the answer; undefined if the client has not said that it can ask. */
  readonly ask: (params: Message, like: Message) => Promise<unknown> | undefined;
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
      if (message["method"] === "initialize") canAsk = saysItCan(message["params"]);
      return own.waiting() && own.take(message);
    },
    ask(params, like) {
      if (!canAsk) return undefined;
      about = like;
      return own.elicit(params);
    },
    close: own.close,
  };
}

function saysItCan(params: unknown): boolean {
  const capabilities = isRecord(params) ? params["capabilities"] : undefined;
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isRecord(elicitation)) return false;
  // Without a mode, forms are meant.
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}

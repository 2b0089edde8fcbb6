import type { Message } from "./message.ts";

/** A connection to a server, on which this process is the client. */
export interface Transport {
  /** Resolves to the server's response to a request; rejects with a ServerError if there is none in time. */
  readonly request: (method: string, params: Message) => Promise<Message>;
  readonly notify: (method: string) => Promise<void>;
  /** Called with the protocol version that both sides have agreed on. */
  readonly agreed: (version: string) => void;
  /** Resolves once nothing of it is left; never rejects. */
  readonly close: () => Promise<void>;
}

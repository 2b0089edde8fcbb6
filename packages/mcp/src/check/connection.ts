import type { Message } from "../wire/index.ts";

/** A connection to a server, on which this process is the client. */
export interface CheckConnection {
  /** Resolves to the server's response to a request; rejects if there is none in time. */
  readonly request: (method: string, params: Message) => Promise<Message>;
  readonly notify: (method: string) => Promise<void>;
  /** Called with the protocol version that the server has chosen. */
  readonly agreed: (version: string) => void;
  readonly close: () => Promise<void>;
}

/** Why a server could not be reached, in a few words. */
export class Unreached extends Error {}

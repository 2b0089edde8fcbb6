import { INTERNAL_ERROR } from "./json-rpc-errors.ts";
import type { Message } from "@toolcontract/mcp-client/wire";

/** How a call ended that gets no answer from the server. */
export type LostCall = NotSent | RefusedByStatus | Unanswered | NoMessage;

/** Nothing of it has left: no connection was made. */
interface NotSent {
  /** What it is. */
  readonly kind: "not-sent";
  /** The code of the error, such as `ECONNREFUSED`. */
  readonly code: string;
}

/** The server, or what stands before it, has refused the request. */
interface RefusedByStatus {
  /** What it is. */
  readonly kind: "refused";
  /** The HTTP status that says so. */
  readonly status: number;
}

/** The server has it, and its answer will not come. */
interface Unanswered {
  /** What it is. */
  readonly kind: "unanswered";
  /** What came in between. */
  readonly how: "connection" | "body" | "stream" | "client" | "stopped" | "ended" | "time";
  /** The code of the error, such as `ECONNRESET`. */
  readonly code?: string | undefined;
}

/** The server, or a gateway before it, has answered with a status and with no message. */
interface NoMessage {
  /** What it is. */
  readonly kind: "no-message";
  /** The HTTP status. */
  readonly status: number;
}

/** What a lost call comes to. */
export interface LostOutcome {
  /** Whether the tool may have run. What is not known to have stayed undone may have been done. */
  readonly mayHaveRun: boolean;
  /** What is said about it, unless the contract says more. */
  readonly words: string;
  /** The code of the failure, in the names of Node. */
  readonly code?: string | undefined;
  /** The HTTP status that says so. */
  readonly status?: number;
}

const HOW = {
  connection: "The connection to the MCP server broke before it answered",
  body: "The MCP server's response broke off",
  stream: "The MCP server's stream of events ended without the answer",
  client: "The client disconnected before the MCP server answered",
  stopped: "The server did not answer before the proxy stopped",
  ended: "The MCP server ended before it answered",
  time: "The MCP server did not answer in time",
} as const;

const CUT_OFF = "ERR_STREAM_PREMATURE_CLOSE";
const FIRST_ERROR = 400;

/** Says what a call without an answer comes to, whatever it was sent on. */
export function outcomeOfLost(lost: LostCall): LostOutcome {
  switch (lost.kind) {
    case "not-sent": {
      const { code } = lost;
      const words = `The MCP server could not be reached (${code}): the call was not sent.`;
      return { mayHaveRun: false, words, code };
    }
    case "refused": {
      const { status } = lost;
      const words = `The MCP server refused the request with status ${status}: the call was not made.`;
      return { mayHaveRun: false, words, status };
    }
    case "unanswered": {
      const { how, code = how === "time" ? "ETIMEDOUT" : CUT_OFF } = lost;
      const why = lost.code === undefined ? HOW[how] : `${HOW[how]} (${lost.code})`;
      return { mayHaveRun: true, words: unknown(why), code };
    }
    case "no-message": {
      const { status } = lost;
      const words = unknown(`The MCP server answered with status ${status} and no message`);
      return {
        mayHaveRun: true,
        words,
        ...(status < FIRST_ERROR ? { code: CUT_OFF } : { status }),
      };
    }
  }
}

function unknown(why: string): string {
  return `${why}, so the outcome of this call is unknown: it may have run. Check before you repeat the call.`;
}

/** These say that a request was given up while somebody else worked on it. */
const GIVEN_UP: readonly number[] = [408, 499];

/** What a response without a message means for the call that it should answer. */
export function lostByStatus(status: number): LostCall {
  const isRefusal = status >= 300 && status < 500 && !GIVEN_UP.includes(status);
  return { kind: isRefusal ? "refused" : "no-message", status };
}

/** The answer to a lost call in a transport's own words. */
export function lostAnswer(id: unknown, lost: LostCall): Message {
  const error = { code: INTERNAL_ERROR, message: outcomeOfLost(lost).words };
  return { jsonrpc: "2.0", id, error };
}

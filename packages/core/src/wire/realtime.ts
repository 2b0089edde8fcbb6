import { memberOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import { addEvent, outputHead, turnOfResponse } from "./responses.ts";
import { type Answered, type WireTurn, turnOf } from "./turn.ts";

/** The event of the Realtime API with which a response ends. */
interface RealtimeDone {
  readonly type: "response.done";
  readonly response: {
    readonly id?: string | undefined;
    readonly status?: string | undefined;
    readonly status_details?: { readonly reason?: string | undefined } | null | undefined;
    readonly output?: readonly object[] | undefined;
  };
}

/** The event that answers a call of the Realtime API. */
interface RealtimeAnswer {
  type: "conversation.item.create";
  item: { type: "function_call_output"; call_id: string; output: string };
}

/** Reads and writes the events of the Realtime API. */
export interface RealtimeWire {
  /** Reads the calls of a `response.done`; one that was cancelled says so in its reason. */
  read(event: RealtimeDone | undefined, texts?: WireTexts): WireTurn;
  /** The events to send before the next `response.create`: one for each call, in order. */
  write(handled: readonly Answered[]): RealtimeAnswer[];
  /** For one response: add each event. */
  texts(): WireTexts;
}

/**
 * The Realtime API of OpenAI.
 *
 * @example
 * ```ts
 * const { calls, ...turn } = realtime.read(event);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "session-7", ...turn });
 * for (const answer of realtime.write(handled)) connection.send(answer);
 * ```
 * @see docs/your-own-loop.md
 */
export const realtime: RealtimeWire = {
  read: (event, texts) =>
    turnOf(asSent(turnOfResponse(memberOf(event, "response")), texts, isThere(event))),
  write: (handled) =>
    handled.map((answered) => {
      const { call_id } = outputHead(answered);
      const output = answered.result.content;
      return {
        type: "conversation.item.create",
        item: { type: "function_call_output", call_id, output },
      };
    }),
  texts: () => new KeptTexts(addEvent),
};

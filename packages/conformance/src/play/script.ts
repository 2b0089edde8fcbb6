import { randomBytes } from "node:crypto";
import type { WireTurn } from "@toolcontract/wire";
import type { PlayedTurn, Scenario } from "../shared/index.ts";

/** How many characters of a string a stream sends at once: calls arrive in many parts. */
const DELTA = 7;

/** What the model says to a request. */
export interface KitReply {
  readonly turn: WireTurn;
  /** True if the connection breaks in the middle of it. */
  readonly drops: boolean;
}

/** The messages of the model in one run, with ids that no other run has. */
export interface Script {
  readonly turns: readonly PlayedTurn[];
  /** The reply to the request with this number; without a turn, the model reports that it is done. */
  replyTo(index: number, played: PlayedTurn | undefined): KitReply;
}

/** Writes the messages of one run: a repeated turn as often as it says. */
export function scriptOf(scenario: Scenario): Script {
  const run = randomBytes(4).toString("hex");
  const turns = scenario.turns
    .flatMap((turn) => Array.from({ length: turn.times ?? 1 }, () => turn))
    .map((turn, index) => ({
      turn,
      calls: turn.calls.map((call, place) => ({
        id: call.id ?? `call_${run}_${index}_${place}`,
        call,
      })),
    }));
  return {
    turns,
    replyTo(index, played) {
      const id = `reply_${run}_${index}`;
      if (played === undefined) {
        return { turn: { id, text: "That is all.", delta: DELTA }, drops: false };
      }
      const { turn, calls } = played;
      const said = {
        id,
        ...(turn.text !== undefined && { text: turn.text }),
        calls: calls.map(({ id: callId, call }) => {
          return { id: callId, name: call.tool, input: call.arguments };
        }),
        ...(turn.finish !== undefined && { finishReason: turn.finish }),
        delta: DELTA,
      };
      return { turn: said, drops: turn.drops === true };
    },
  };
}

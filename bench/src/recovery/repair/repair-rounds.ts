import type { ReadText } from "../reading/complaint.ts";
import type { MakeCall, Outcome } from "../systems/system.ts";
import { correctCall } from "./correct-call.ts";

const ROUNDS = 3;

/** After how many rounds the call became valid; undefined where it never did. */
export async function repairRounds(
  args: unknown,
  first: Outcome,
  makeCall: MakeCall,
  read: ReadText,
  isValid: (value: unknown) => boolean,
): Promise<number | undefined> {
  let outcome = first;
  let at = args;
  for (let round = 1; round <= ROUNDS && outcome.status === "answered"; round += 1) {
    const next = correctCall(at, read(outcome.text));
    if (isValid(next)) return round;
    if (JSON.stringify(next) === JSON.stringify(at) || round === ROUNDS) return undefined;
    at = next;
    outcome = await makeCall(JSON.stringify(at));
  }
  return undefined;
}

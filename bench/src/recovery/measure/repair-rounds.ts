import { correctCall } from "@toolcontract/corrections";
import type { MakeCall, Outcome } from "@toolcontract/frameworks";
import type { ReadText } from "../reading/readers.ts";

const ROUNDS = 3;

/** Returns the number of rounds until the call was valid; undefined if it never was. */
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

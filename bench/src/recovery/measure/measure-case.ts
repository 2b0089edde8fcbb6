import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { ajvAccepts } from "../../bare-ajv.ts";
import type { SpoiltCall } from "../cases/spoilt-call.ts";
import { repairRounds } from "../repair/correct-call.ts";
import type { System } from "../systems/system.ts";
import { countHints, matchFaults } from "./match-faults.ts";

/** What a system did with one invalid call. */
export type CaseResult = Awaited<ReturnType<typeof measureCase>>;

/** Makes a spoilt call and its valid original, and measures the message that comes back. */
export async function measureCase(spoilt: SpoiltCall, system: System) {
  const makeCall = await system.offer(spoilt.tool);
  const outcome = await makeCall(spoilt.text);
  const golden = await makeCall(JSON.stringify(spoilt.golden));
  const text = outcome.status === "answered" ? outcome.text : "";
  const complaints = system.read(text);
  const isValid = ajvAccepts(spoilt.tool);
  const repairedAfter = await repairRounds(spoilt.args, outcome, makeCall, system.read, isValid);
  return {
    spoilt,
    status: outcome.status,
    ...matchFaults(spoilt.faults, complaints),
    characters: text.length,
    tokens: countTokens(text),
    leaked: leaks(text, spoilt.secrets),
    hints: countHints(spoilt.faults, complaints),
    /** The number of rounds until the corrector made it valid. */
    repairedAfter,
    /** Whether the system rejects the valid call that was spoilt. */
    falselyRejected: golden.status !== "ran",
  };
}

const PIECE = 6;

/** Whether a message contains a secret, or six consecutive characters of one. */
export function leaks(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) =>
    Array.from({ length: Math.max(1, secret.length - PIECE + 1) }, (_, at) =>
      secret.slice(at, at + PIECE),
    ).some((piece) => text.includes(piece)),
  );
}

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type Complaint, lastKey, parentOf, readFix } from "@toolcontract/corrections";
import { ajvAccepts } from "../../bare-ajv.ts";
import type { Fault } from "../cases/slips.ts";
import type { SpoiltCall } from "../cases/spoil-calls.ts";
import type { System } from "../systems/system.ts";
import { repairRounds } from "./repair-rounds.ts";

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

/** Compares a message's complaints with the ground truth. */
function matchFaults(faults: readonly Fault[], complaints: readonly Complaint[]) {
  const about = (fault: Fault) => complaints.filter((complaint) => isAbout(complaint, fault));
  const located = faults.filter((fault) => about(fault).length > 0);
  return {
    /** Faults whose place the message names. */
    located,
    /** Those of them it also gives the fix for. */
    explained: located.filter((fault) => saysAll(fault, about(fault))),
    /** Complaints about something that is not a fault. */
    noise: complaints.filter(
      (complaint) =>
        !faults.some((fault) => isAbout(complaint, fault) || mayMean(complaint, fault)),
    ),
  };
}

/** Whether a complaint is reported at the place of a fault. */
function isAbout({ pointer, words }: Complaint, fault: Fault): boolean {
  if (pointer === fault.pointer || fault.also.includes(pointer)) return true;
  // Without its key a variant cannot be recognised: a list of the keys at the union is all there is to say.
  if (fault.kind === "missing" && fault.inUnion && pointer === parentOf(fault.pointer))
    return says(words, lastKey(fault.pointer) ?? "");
  return fault.kind === "duplicate" && parentOf(pointer) === fault.pointer;
}

/** A complaint about extra keys that names none is not noise if there is one; it does not locate it either. */
function mayMean({ pointer, words }: Complaint, fault: Fault): boolean {
  const isOfKeys = fault.kind === "unknown" || fault.kind === "misspelt";
  return isOfKeys && pointer === parentOf(fault.pointer) && /additional|unrecognized/i.test(words);
}

function saysAll(fault: Fault, complaints: readonly Complaint[]): boolean {
  const isAtUnion = complaints.every(({ pointer }) => pointer === parentOf(fault.pointer));
  if (fault.kind === "missing" && isAtUnion) return true;
  // The last key of each place counts as said.
  const all = complaints.flatMap(({ words, pointer }) => [words, lastKey(pointer)]).join("\n");
  return fault.fix.every((group) => group.some((text) => says(all, text)));
}

function says(words: string, text: string): boolean {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, "i").test(words);
}

/** Counts right and wrong did-you-means; one for a foreign name or value is wrong. */
function countHints(faults: readonly Fault[], complaints: readonly Complaint[]) {
  let right = 0;
  let wrong = 0;
  for (const fault of faults) {
    if (!["misspelt", "unknown", "enum"].includes(fault.kind)) continue;
    const golden = fault.kind === "enum" && !fault.foreign ? fault.value : undefined;
    const meant = fault.near ?? golden;
    const hints = complaints.filter((one) => isAbout(one, fault)).flatMap(hintOf);
    if (hints.some((hint) => hint !== meant)) wrong += 1;
    else if (hints.length > 0 && fault.near !== undefined) right += 1;
  }
  return { nearMisses: faults.filter(({ near }) => near !== undefined).length, right, wrong };
}

function hintOf(complaint: Complaint): readonly unknown[] {
  const fix = readFix(complaint);
  if (fix.kind === "rename") return [fix.to];
  return fix.kind === "use" ? [fix.value] : [];
}

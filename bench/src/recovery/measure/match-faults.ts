import type { Fault } from "../cases/spoilt-call.ts";
import { parentOf } from "../json.ts";
import type { Complaint } from "../reading/readers.ts";
import { readFix } from "../repair/correct-call.ts";

/** What a message says about the faults of its call. */
export interface Match {
  /** Faults whose place it names. */
  readonly located: readonly Fault[];
  /** Those of them it also gives the fix for. */
  readonly explained: readonly Fault[];
  /** Complaints about something that is no fault. */
  readonly noise: readonly Complaint[];
}

/** Compares a message's complaints with the ground truth. */
export function matchFaults(faults: readonly Fault[], complaints: readonly Complaint[]): Match {
  const found = faults.map((fault) => ({
    fault,
    own: complaints.filter((complaint) => isAbout(complaint, fault)),
  }));
  const located = found.filter(({ own }) => own.length > 0);
  return {
    located: located.map(({ fault }) => fault),
    explained: located
      .filter(({ fault, own }) => saysAll(fault, own.map(({ words }) => words).join("\n"), own))
      .map(({ fault }) => fault),
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
    return says(words, fault.pointer.split("/").at(-1) ?? "");
  return fault.kind === "duplicate" && parentOf(pointer) === fault.pointer;
}

/** A complaint about extra keys that names none is not noise if there is one; it does not locate it either. */
function mayMean({ pointer, words }: Complaint, fault: Fault): boolean {
  const isOfKeys = fault.kind === "unknown" || fault.kind === "misspelt";
  return isOfKeys && pointer === parentOf(fault.pointer) && /additional|unrecognized/i.test(words);
}

function saysAll(fault: Fault, words: string, own: readonly Complaint[]): boolean {
  // The last key of each place counts as said.
  const all = [words, ...own.map(({ pointer }) => pointer.split("/").at(-1) ?? "")].join("\n");
  const isAtUnion = own.every(({ pointer }) => pointer === parentOf(fault.pointer));
  if (fault.kind === "missing" && isAtUnion) return true;
  return fault.fix.every((group) => group.some((text) => says(all, text)));
}

function says(words: string, text: string): boolean {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, "i").test(words);
}

/** Counts right and wrong did-you-means; one for a foreign name or value is wrong. */
export function countHints(faults: readonly Fault[], complaints: readonly Complaint[]) {
  let right = 0;
  let wrong = 0;
  for (const fault of faults) {
    if (!["misspelt", "unknown", "enum"].includes(fault.kind)) continue;
    const golden = fault.kind === "enum" && !fault.foreign ? fault.undo.set[0]?.[1] : undefined;
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

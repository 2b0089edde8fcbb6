import type { Fault } from "../cases/fault.ts";
import { parentOf } from "../pointer.ts";
import type { Complaint } from "../reading/complaint.ts";

/** What a text says of the faults of its call. */
export interface Match {
  /** Faults of which it names the place. */
  readonly located: readonly Fault[];
  /** Of these, the ones of which it says the literal fix. */
  readonly explained: readonly Fault[];
  /** Complaints that belong to no fault. */
  readonly noise: readonly Complaint[];
}

/** Compares a text's complaints with what is really wrong. */
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

/** Whether a complaint stands at the place of a fault. */
export function isAbout({ pointer, words }: Complaint, fault: Fault): boolean {
  if (pointer === fault.pointer || fault.also.includes(pointer)) return true;
  // Once its key is gone a variant may be any of them: a list of the keys at the choice says all there is to say.
  if (fault.kind === "missing" && fault.inUnion && pointer === parentOf(fault.pointer))
    return says(words, fault.pointer.split("/").at(-1) ?? "");
  if (fault.kind === "duplicate" && parentOf(pointer) === fault.pointer) return true;
  return fault.secretKey === true && pointer === `${parentOf(fault.pointer)}/(unknown field)`;
}

/** A complaint of extra keys that names none is no noise where there is one; it locates nothing either. */
function mayMean({ pointer, words }: Complaint, fault: Fault): boolean {
  const isOfKeys = fault.kind === "unknown" || fault.kind === "misspelt";
  return isOfKeys && pointer === parentOf(fault.pointer) && /additional|unrecognized/i.test(words);
}

function saysAll(fault: Fault, words: string, own: readonly Complaint[]): boolean {
  // The last keys of the places are said too.
  const all = [words, ...own.map(({ pointer }) => pointer.split("/").at(-1) ?? "")].join("\n");
  const isAtChoice = own.every(({ pointer }) => pointer === parentOf(fault.pointer));
  if (fault.kind === "missing" && isAtChoice) return true;
  return fault.fix.every((group) => group.some((text) => says(all, text)));
}

function says(words: string, text: string): boolean {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, "i").test(words);
}

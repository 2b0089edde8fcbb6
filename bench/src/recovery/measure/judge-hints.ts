import type { Fault } from "../cases/fault.ts";
import type { Complaint } from "../reading/complaint.ts";
import { readFix } from "../repair/read-fix.ts";
import { isAbout } from "./match-faults.ts";

/** How the did-you-means of a text fared. */
export interface HintCount {
  /** Slips that are a near miss of one right name or value. */
  readonly nearMisses: number;
  readonly right: number;
  readonly wrong: number;
}

/** Counts the right and the wrong did-you-means; one for a foreign name or value is wrong. */
export function judgeHints(faults: readonly Fault[], complaints: readonly Complaint[]): HintCount {
  let right = 0;
  let wrong = 0;
  for (const fault of faults) {
    if (!["misspelt", "unknown", "enum"].includes(fault.kind)) continue;
    const meant =
      fault.near ?? (fault.kind === "enum" && !fault.foreign ? goldenOf(fault) : undefined);
    const hints = complaints.filter((one) => isAbout(one, fault)).flatMap(hintOf);
    if (hints.some((hint) => hint !== meant)) wrong += 1;
    else if (hints.length > 0 && fault.near !== undefined) right += 1;
  }
  return { nearMisses: faults.filter(({ near }) => near !== undefined).length, right, wrong };
}

function goldenOf({ undo }: Fault): unknown {
  return undo.set[0]?.[1];
}

function hintOf(complaint: Complaint): readonly unknown[] {
  const fix = readFix(complaint);
  if (fix.kind === "rename") return [fix.to];
  return fix.kind === "use" ? [fix.value] : [];
}

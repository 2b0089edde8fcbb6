import { type Finding, canonicalExpectation } from "../../shared/index.ts";
import type { TriedBranch } from "./branch.ts";

/** The faults to report for a union that no branch fits, and the branch they belong to, if one was meant. */
export interface Choice {
  readonly findings: readonly Finding[];
  readonly branch?: TriedBranch;
}

/** Chooses a branch, with its faults. */
export function chosenBranch(branch: TriedBranch): Choice {
  return { findings: withName(branch), branch };
}

/** Puts a branch's name on the first of its findings, unless an inner union has put one there. */
function withName({ name, outcome }: TriedBranch): readonly Finding[] {
  return outcome.findings.map((finding, position) =>
    position === 0 && finding.variant === undefined
      ? { ...finding, variant: { kind: "branch", name } }
      : finding,
  );
}

/** What a finding says, as a string: two that say the same have the same one. */
export function keyOf({ code, path, expected }: Finding): string {
  return JSON.stringify([code, path.join("/"), canonicalExpectation(expected)]);
}

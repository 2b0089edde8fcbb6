import type { SystemResult } from "./run-recovery.ts";

/** One thing that the contract's texts are to reach. */
export interface Target {
  readonly words: string;
  /** A promise that may never break, as against a goal. */
  readonly isPromise: boolean;
  readonly isMet: (result: SystemResult) => boolean;
}

/** What the contract's texts are to reach, in every adapter. */
export const TARGETS: readonly Target[] = [
  promise("0 secrets leaked", ({ figures }) => figures.secretsLeaked === 0),
  promise("0 valid calls rejected", ({ figures }) => figures.falseRejections === 0),
  promise("0 invalid calls run", ({ figures }) => figures.ranInvalid === 0),
  promise("faults explained ≥ 99.8 %", ({ figures }) => figures.explained >= 0.998),
  promise("calls with all faults ≥ 99.7 %", ({ figures }) => figures.wholeCalls >= 0.997),
  promise("noise ≤ 0.005 a call", ({ figures }) => figures.noisePerCall <= 0.005),
  goal("hints right ≥ 95 % of near misses", ({ figures }) => figures.hintsRight >= 0.95),
  goal(
    "hints wrong ≤ 0.5 % of those given",
    ({ figures: { hintsWrong, hintsRight, nearMisses } }) =>
      hintsWrong <= 0.005 * (hintsWrong + hintsRight * nearMisses),
  ),
  goal(
    "repaired at once within a point of ideal texts",
    ({ figures, idealRepaired }) => figures.repaired[0] >= idealRepaired - 0.01,
  ),
  goal(
    "median tokens ≤ 50 compact, ≤ 75 standard",
    ({ system, figures }) => figures.tokens.median <= (system.includes("compact") ? 50 : 75),
  ),
];

function promise(words: string, isMet: Target["isMet"]): Target {
  return { words, isPromise: true, isMet };
}

function goal(words: string, isMet: Target["isMet"]): Target {
  return { words, isPromise: false, isMet };
}

import type { SystemResult } from "./run-recovery.ts";

/** One thing that the contract's texts are to reach. */
export interface Target {
  readonly words: string;
  /** A promise that may never break, as against a goal. */
  readonly isPromise: boolean;
  readonly isMet: (result: SystemResult) => boolean;
  /** Why it is missed, as far as looking into it has shown. */
  readonly reason?: string;
}

const FRAME =
  "the header, the closing line and the labels are 24 of the tokens (compact), and they are the fixed format; what is left " +
  "is the path, what is wanted there, what was sent and the hint.";

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
    "median tokens ≤ 50 in the compact style",
    ({ system, figures }) => !system.includes("compact") || figures.tokens.median <= 50,
    FRAME,
  ),
  goal(
    "median tokens ≤ 75 in the standard style",
    ({ system, figures }) => system.includes("compact") || figures.tokens.median <= 75,
    FRAME,
  ),
];

function promise(words: string, isMet: Target["isMet"]): Target {
  return { words, isPromise: true, isMet };
}

function goal(words: string, isMet: Target["isMet"], reason?: string): Target {
  return { words, isPromise: false, isMet, ...(reason !== undefined && { reason }) };
}

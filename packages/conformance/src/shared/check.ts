import type { Level } from "./clauses.ts";

/** Whether a program kept one clause in one scenario. */
export interface Check {
  /** `<scenario>/<clause>`, unique. */
  readonly id: string;
  readonly level: Level;
  /** The scenario's id. */
  readonly scenario: string;
  /** False also if the run ended too early to see. */
  readonly passed: boolean;
  /** What the program did, if it failed; else what was checked. */
  readonly message: string;
}

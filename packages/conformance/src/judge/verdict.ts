import type { ClauseId } from "../shared/index.ts";

/** What became of one clause in one scenario. */
export interface ClauseVerdict {
  readonly clause: ClauseId;
  /** What the program did against it, in words; none if it was kept. */
  readonly faults: readonly string[];
  /** True if the run ended too early to see; the clause then has a fault that says so. */
  readonly isUnseen?: true;
}

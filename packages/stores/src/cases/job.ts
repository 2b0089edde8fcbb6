/** What one of several processes counts; plain data. */
export interface CountingJob {
  /** The number of the process, from 0. */
  readonly process: number;
  /** How many processes there are. */
  readonly processes: number;
}

/** What a process has seen; plain data. */
export interface CountingResult {
  /** For each key of `counted`, the highest attempt that the process was given. */
  readonly counted: readonly number[];
  /** The tools whose escalation fell to this process. */
  readonly escalated: readonly string[];
}

/** What kind of change made an argument text readable. */
export type RepairStep = "fence" | "prose" | "syntax" | "close" | "unwrap";

/** What the text pipeline changed, in counts only: never the text itself. */
export interface Repair {
  readonly step: RepairStep;
  /** Where the change begins, in UTF-16 units of the text as the model sent it. */
  readonly offset: number;
  /** How many UTF-16 units were taken out. */
  readonly removed: number;
  /** How many UTF-16 units were put in. */
  readonly inserted: number;
}

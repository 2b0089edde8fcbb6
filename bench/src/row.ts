/** One row of a result. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The value divided by that of the first row, if the rows are alternatives. */
  readonly ratio?: number;
  /** The quartiles of that ratio over the rounds. */
  readonly spread?: readonly [lower: number, upper: number];
  /** The position on the table's axis, if the row is a point of a curve. */
  readonly at?: number;
}

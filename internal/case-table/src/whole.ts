/**
 * Whether a run takes everything, as `pnpm test:whole` does. `pnpm test` takes a part of what costs the most and has never
 * found a fault alone.
 */
export const isWhole: boolean = process.env["TEST_WHOLE"] === "1";

/** The rows of a table that a run takes: one in three, each third from the first, unless it takes everything. */
export function oneInThree<Row>(rows: readonly Row[]): readonly Row[] {
  return isWhole ? rows : rows.filter((_, index) => index % 3 === 0);
}

/**
 * The row of a small table whose turn it is, or all of them if everything is run: where two tables are independent, each pair of
 * their rows need not meet in every row of a third.
 */
export function inTurn<Row>(rows: readonly Row[], turn: number): readonly Row[] {
  return isWhole ? rows : rows.filter((_, index) => index === turn % rows.length);
}

/**
 * How much of a table a host runs: each case in `"every style"`, in `"one style"`, or in one style a part of the cases. Half
 * suffices for a second way to call the same framework, `"one in three"` or `"one in six"` for an older version.
 */
export type Share = "every style" | "one style" | keyof typeof PARTS;

const PARTS = { "one in two": 2, "one in three": 3, "one in six": 6 } as const;

/** The rows that a run takes in one host, in the order of the cases. Hosts take turns: each row runs in some of them. */
export function shareOf<Row extends { readonly testCase: unknown }>(
  rows: readonly Row[],
  host: string,
  share: Share,
): readonly Row[] {
  if (isWhole || share === "every style") return rows;
  const cases = new Map<unknown, Row[]>();
  for (const row of rows) cases.set(row.testCase, [...(cases.get(row.testCase) ?? []), row]);
  return [...cases.values()].flatMap((styles, index) => {
    const part = share === "one style" ? 1 : PARTS[share];
    const turn = index + host.length;
    if (turn % part !== 0) return [];
    return styles.slice((turn / part) % styles.length).slice(0, 1);
  });
}

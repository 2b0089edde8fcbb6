/** What must be replaced in one string to get another. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The smallest single replacement that turns `before` into `after`, so that a cursor outside of it stays. */
export function changeBetween(before: string, after: string): Change | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

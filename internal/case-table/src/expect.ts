/** The part of vitest's `expect` that the table uses, so that another runner can bring its own. */
export interface Expect {
  (actual: unknown): Matchers & { readonly not: Pick<Matchers, "toContain"> };
  /** Equals a list that has at least these items. */
  arrayContaining(items: readonly unknown[]): unknown;
}

/** What can be expected of a value. */
interface Matchers {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toContain(part: string): void;
  toMatch(pattern: RegExp): void;
  toBeUndefined(): void;
  toBeLessThanOrEqual(limit: number): void;
}

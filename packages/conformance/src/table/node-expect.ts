import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Expect } from "@toolcontract/case-table/run-case";

/** A list that must be among others. */
class Containing {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

/** The expectations of the table for runners that have none of their own, with the failures of Node's `assert`. */
export const nodeExpect: Expect = Object.assign(matchersOf, {
  arrayContaining: (items: readonly unknown[]) => new Containing(items),
});

function matchersOf(actual: unknown): ReturnType<Expect> {
  const contains = (part: string): boolean =>
    typeof actual === "string"
      ? actual.includes(part)
      : Array.isArray(actual) && actual.includes(part);
  return {
    toBe: (expected) => assert.equal(actual, expected),
    toEqual(expected) {
      if (expected instanceof Containing) {
        const missing = expected.items.filter(
          (item) => !(actual as readonly unknown[]).some((one) => isDeepStrictEqual(one, item)),
        );
        return assert.deepEqual(missing, []);
      }
      assert.deepEqual(defined(actual), defined(expected));
    },
    toMatchObject: (expected) => assert.deepEqual(partOf(actual, expected), defined(expected)),
    toContain: (part) => assert.ok(contains(part), `${String(actual)} does not contain ${part}`),
    toMatch: (pattern) => assert.match(String(actual), pattern),
    toBeUndefined: () => assert.equal(actual, undefined),
    toBeLessThanOrEqual: (limit) =>
      assert.ok(Number(actual) <= limit, `${String(actual)} > ${limit}`),
    not: {
      toContain: (part) => assert.ok(!contains(part), `${String(actual)} contains ${part}`),
    },
  };
}

/** A copy without members that are undefined, and without prototypes. */
function defined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(defined);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, defined(member)]));
}

/** The members of a value that the expected one has too. */
function partOf(actual: unknown, expected: unknown): unknown {
  if (typeof expected !== "object" || expected === null) return defined(actual);
  if (typeof actual !== "object" || actual === null) return actual;
  if (Array.isArray(expected)) {
    return (actual as readonly unknown[]).map((item, index) => partOf(item, expected[index]));
  }
  const members = Object.entries(expected).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      partOf((actual as Record<string, unknown>)[name], member),
    ]),
  );
}

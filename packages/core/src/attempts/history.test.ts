import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttemptSummary, AttemptRecord } from "../shared/index.ts";
import { appendAttempt, findRepeat } from "./history.ts";

const missingPath: AttemptSummary = {
  errorCode: "VAL-001",
  fieldPath: "/path",
  summary: "Required field 'path' is missing",
};
const badMode: AttemptSummary = {
  errorCode: "VAL-002",
  fieldPath: "/mode",
  summary: "Type mismatch: expected integer, got string",
};

function record(attempt: number, errors: readonly AttemptSummary[] = [missingPath]): AttemptRecord {
  return { attempt, argumentsHash: `hash-${attempt}`, errors };
}

function build(records: readonly AttemptRecord[]): readonly AttemptRecord[] {
  return records.reduce<readonly AttemptRecord[]>(appendAttempt, []);
}

function size(history: readonly AttemptRecord[]): number {
  return Buffer.byteLength(JSON.stringify(history));
}

describe("appendAttempt", () => {
  test("keeps every attempt's errors in order and leaves the given history alone", () => {
    const before = Object.freeze([Object.freeze(record(1))]);
    expect(appendAttempt(before, record(2, [badMode]))).toEqual([record(1), record(2, [badMode])]);
    expect(before).toEqual([record(1)]);
  });

  test("merges the parallel failures of one turn: new errors and hashes only", () => {
    const sibling = { ...record(2, [badMode, missingPath]), argumentsHash: "other" };
    expect(build([record(1), record(2), sibling, sibling])).toEqual([
      record(1),
      { ...record(2, [missingPath, badMode]), siblingHashes: ["other"] },
    ]);
  });

  test("collapses the oldest middle attempts into one counted record, first and latest stay", () => {
    const history = build(Array.from({ length: 500 }, (_, index) => record(index + 1)));
    const [first, collapsed, ...rest] = history;
    expect(first).toEqual(record(1));
    expect(rest.at(-1)).toEqual(record(500));
    expect(collapsed).toEqual({
      attempt: 2,
      argumentsHash: "",
      errors: [],
      collapsed: 499 - rest.length,
    });
    expect(rest[0]?.attempt).toBe(501 - rest.length);
    expect(rest.length).toBeGreaterThan(10);
    expect(size(history)).toBeLessThan(10_240);
  });

  test("stays under 10 KB whatever is appended, with lengths and bytes at their worst", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\\".repeat(5_000),
        "é".repeat(5_000),
        "\u0000".repeat(5_000),
        "\uD800",
        "😀".repeat(99),
        "漢".repeat(1_000_000),
      ),
    );
    const anyError = fc.record({
      errorCode: fc.constant("VAL-016" as const),
      fieldPath: text,
      summary: text,
    });
    const attempts = fc.array(
      fc.record({
        errors: fc.array(anyError, { maxLength: 20 }),
        argumentsHash: text,
        isSibling: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(attempts, (entries) => {
        let attempt = 0;
        let history: readonly AttemptRecord[] = [];
        for (const { isSibling, ...entry } of entries) {
          attempt += isSibling && attempt > 0 ? 0 : 1;
          history = appendAttempt(history, { attempt, ...entry });
          expect(size(history)).toBeLessThan(10_240);
          expect(history.at(-1)?.attempt).toBe(attempt);
          expect(history[0]?.attempt).toBe(1);
          const texts = history.flatMap((kept) =>
            kept.errors.flatMap((error) => Object.values(error)),
          );
          expect(texts.filter((kept) => /\p{Cs}/u.test(kept))).toEqual([]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("what a record keeps", () => {
  const long: AttemptSummary = {
    errorCode: "VAL-008",
    fieldPath: `/${"p".repeat(200)}`,
    summary: "s".repeat(200),
  };
  // Four bytes a character.
  const wide: AttemptSummary = {
    errorCode: "VAL-008",
    fieldPath: `/${"😀".repeat(60)}`,
    summary: "😀".repeat(60),
  };
  const places = (count: number, error: AttemptSummary): readonly AttemptSummary[] =>
    Array.from({ length: count }, (_, index) => ({ ...error, fieldPath: `/${index}` }));

  test("a pointer and a summary of at most 120 characters", () => {
    const [kept] = build([record(1, [long])])[0]?.errors ?? [];
    expect([kept?.fieldPath.length, kept?.summary.length]).toEqual([120, 120]);
  });

  test("five errors, and how many there were", () => {
    const [kept] = build([record(1, places(7, badMode))]);
    expect(kept?.errors).toEqual(places(5, badMode));
    expect(kept?.totalErrors).toBe(7);
    expect(build([record(1, places(5, badMode))])[0]).not.toHaveProperty("totalErrors");
  });

  test("fewer errors if they are long: a record has at most 3,000 bytes", () => {
    const [kept] = build([
      record(
        1,
        Array.from({ length: 5 }, () => wide),
      ),
    ]);
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(3_000);
    expect(kept?.errors.length).toBeLessThan(5);
    expect(kept?.errors.length).toBeGreaterThan(1);
    expect(kept?.totalErrors).toBe(5);
  });

  test("the errors of parallel calls are counted together, also those that are not kept", () => {
    const sibling = { ...record(1, places(7, missingPath)), argumentsHash: "other" };
    const [kept] = build([record(1, [badMode]), { ...sibling, totalErrors: 7 }]);
    expect(kept?.totalErrors).toBe(8);
    const few = { ...record(1, [missingPath]), argumentsHash: "other" };
    expect(build([record(1, [badMode]), few])[0]).not.toHaveProperty("totalErrors");
  });

  test("a hash of at most 32 characters, and those of the first eight siblings", () => {
    const hashOf = (index: number): string => `${index}`.padEnd(40, "h");
    const siblings = Array.from({ length: 12 }, (_, index) => ({
      ...record(1),
      argumentsHash: hashOf(index),
    }));
    const [kept] = build(siblings);
    expect(kept?.argumentsHash).toBe(hashOf(0).slice(0, 32));
    const eight = Array.from({ length: 8 }, (_, index) => hashOf(index + 1).slice(0, 32));
    expect(kept?.siblingHashes).toEqual(eight);
  });

  test("three records are kept, however long they are", () => {
    const history = build([1, 2, 3].map((attempt) => record(attempt, places(5, wide))));
    expect(history.map(({ collapsed }) => collapsed)).toEqual([undefined, undefined, undefined]);
  });

  test("a history of just less than 10,000 bytes is kept, and one of more is collapsed", () => {
    const one = size([record(100), record(101)]) - size([record(100)]);
    const fitting = Math.floor((10_000 - 2) / one);
    const numbered = Array.from({ length: fitting + 1 }, (_, index) => record(index + 100));
    const isCollapsed = (history: readonly AttemptRecord[]): boolean =>
      history.some(({ collapsed }) => collapsed !== undefined);
    const kept = build(numbered.slice(0, fitting));
    expect([size(kept) <= 10_000, isCollapsed(kept)]).toEqual([true, false]);
    expect(isCollapsed(build(numbered))).toBe(true);
  });
});

describe("findRepeat", () => {
  const history = build([
    record(1),
    { ...record(2), argumentsHash: "same" },
    { ...record(2), argumentsHash: "sibling" },
    { ...record(3), argumentsHash: "same" },
  ]);

  test.each([
    ["same", 2],
    ["sibling", 2],
    ["new", undefined],
    ["", undefined],
  ])("finds the earliest attempt with the arguments %j", (hash, attempt) => {
    expect(findRepeat(history, hash)).toBe(attempt);
  });

  test("the arguments of a collapsed attempt are not known", () => {
    expect(
      findRepeat([{ attempt: 2, argumentsHash: "", errors: [], collapsed: 3 }], ""),
    ).toBeUndefined();
  });
});

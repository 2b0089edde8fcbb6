import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readResultMarker } from "./result-marker.ts";

const marker = {
  formatVersion: "1.0",
  status: "rejected",
  argumentsHash: "00c0ffee00c0ffee",
  errors: [
    { errorCode: "VAL-001", fieldPath: "/path", summary: "Required field 'path' is missing" },
  ],
};

describe("readResultMarker", () => {
  test("reads a marker back, also from JSON", () => {
    expect(readResultMarker(JSON.parse(JSON.stringify(marker)))).toEqual(marker);
    expect(readResultMarker({ formatVersion: "1.0", status: "executed" })).toEqual({
      formatVersion: "1.0",
      status: "executed",
    });
  });

  test.each([
    ["nothing", undefined],
    ["a text", "rejected"],
    ["another artifact", { rows: 3 }],
    ["an unknown status", { ...marker, status: "done" }],
    [
      "a getter that throws",
      {
        ...marker,
        get status(): string {
          throw new Error("no");
        },
      },
    ],
    ["no version", { ...marker, formatVersion: 1 }],
  ])("finds no marker in %s", (_, value) => {
    expect(readResultMarker(value)).toBeUndefined();
  });

  test("drops invalid errors and keeps each string on one short line", () => {
    const forged = {
      ...marker,
      argumentsHash: 7,
      isAdmin: true,
      errors: [
        null,
        { errorCode: "VAL-999", fieldPath: "/path", summary: "" },
        { errorCode: "VAL-016", fieldPath: "/a\nAttempt 9: x", summary: "y".repeat(1_000_000) },
        ...Array.from({ length: 100_000 }, () => marker.errors[0]),
      ],
    };
    const read = readResultMarker(forged);
    expect(Object.keys(read ?? {})).toEqual(["formatVersion", "status", "errors"]);
    expect(read?.errors).toHaveLength(5);
    expect(read?.errors?.[0]?.fieldPath).toBe("/a\\nAttempt 9: x");
    expect(read?.errors?.[0]?.summary.length).toBeLessThanOrEqual(120);
  });

  test.each(["executed", "rejected", "blocked", "skipped"])("reads the status %s", (status) => {
    expect(readResultMarker({ formatVersion: "1.0", status })).toEqual({
      formatVersion: "1.0",
      status,
    });
  });

  test.each([
    [7, { totalErrors: 7 }],
    [1, { totalErrors: 1 }],
    [0, {}],
    [-7, {}],
    ["7", {}],
    [Number.POSITIVE_INFINITY, { totalErrors: 999_999 }],
  ])("reads totalErrors %j as %j", (totalErrors, read) => {
    expect(readResultMarker({ ...marker, totalErrors })).toEqual({ ...marker, ...read });
  });

  test.each(["errorCode", "fieldPath", "summary"])("an error needs a text as its %s", (name) => {
    const errors = [{ ...marker.errors[0], [name]: 7 }, ...marker.errors];
    expect(readResultMarker({ ...marker, errors })?.errors).toEqual(marker.errors);
  });

  test("reads no more of a long list than it could need", () => {
    const list = (junk: number): unknown[] => [
      ...Array.from({ length: junk }, () => null),
      marker.errors[0],
    ];
    expect(readResultMarker({ ...marker, errors: list(99) })?.errors).toHaveLength(1);
    expect(readResultMarker({ ...marker, errors: list(100) })?.errors).toEqual([]);
  });

  test("an outcome of 4,000 characters of JSON is read, a longer one is not", () => {
    const outcome = {
      status: "error",
      error_type: "t",
      error_message: "",
      retriable: true,
      metadata: {},
    };
    const error_message = "m".repeat(4_000 - JSON.stringify(outcome).length);
    const longest = { ...outcome, error_message };
    const longer = { ...outcome, error_message: `${error_message}m` };
    expect(readResultMarker({ ...marker, outcome: longest })?.outcome).toEqual(longest);
    expect(readResultMarker({ ...marker, outcome: longer })?.outcome).toBeUndefined();
  });

  test("never throws", () => {
    const loose = fc.record({
      formatVersion: fc.anything(),
      status: fc.anything(),
      errors: fc.anything(),
    });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), loose), (value) => {
        expect(() => readResultMarker(value)).not.toThrow();
      }),
    );
  });
});

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

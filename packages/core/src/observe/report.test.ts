import { describe, expect, test } from "vitest";
import { toErrorPlaces } from "./report.ts";

const errors = [
  { errorCode: "VAL-001", fieldPath: "/path", message: "missing", severity: "error" },
  { errorCode: "VAL-008", fieldPath: "/encoding", message: "invalid", severity: "error" },
] as const;

describe("toErrorPlaces", () => {
  test("shows no path of an error that somebody else built", () => {
    expect(toErrorPlaces(errors)).toEqual([
      { path: "*", code: "VAL-001" },
      { path: "*", code: "VAL-008" },
    ]);
  });

  test("lists at most 100 places", () => {
    expect(toErrorPlaces(Array.from({ length: 100_000 }, () => errors[0]))).toHaveLength(100);
  });
});

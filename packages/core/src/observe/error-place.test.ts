import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorClass, toErrorPlaces } from "./error-place.ts";

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

class QuotaExceeded extends Error {}

const renamed = Object.assign(new Error("no"), { name: "password is hunter2" });
const forged = new Error("no");
Object.defineProperty(forged, "constructor", { value: { name: "password is hunter2" } });
const unreadable = new Proxy(new Error("no"), {
  get: () => {
    throw new Error("no");
  },
});

describe("errorClass", () => {
  test.each([
    [new TypeError("cannot read hunter2"), "TypeError"],
    [new QuotaExceeded("hunter2"), "QuotaExceeded"],
    [renamed, "Error"],
    [forged, "Error"],
    [unreadable, "Error"],
    ["hunter2", "string"],
    [undefined, "undefined"],
    [{ message: "hunter2" }, "object"],
  ])("names the class and nothing else (%#)", (thrown, name) => {
    expect(errorClass(thrown)).toBe(name);
  });

  test("is a short word for anything thrown", () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        expect(errorClass(thrown)).toMatch(/^[A-Za-z_$][\w$]{0,63}$/);
      }),
    );
  });
});

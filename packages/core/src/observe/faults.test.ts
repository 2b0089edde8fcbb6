import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorClass } from "./faults.ts";

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

import { describe, expect, test } from "vitest";
import { createContract } from "./create-contract.ts";

describe("formats", () => {
  test.each([
    ["url", "http://localhost:3000/a", true],
    ["url", "a b", false],
    ["uri", "urn:isbn:1", true],
    ["date", "2026-02-30", false],
    ["no-such-format", "anything", true],
    ["toString", "anything", true],
  ])("%s accepts %s: %s, compiled and interpreted", (format, value, accepted) => {
    const inputSchema = { type: "object", properties: { at: { type: "string", format } } };
    for (const interpreter of [false, true]) {
      const { status } = createContract({ interpreter }).check(
        { name: "open", inputSchema },
        { at: value },
      );
      expect(status, `interpreter: ${interpreter}`).toBe(accepted ? "valid" : "invalid");
    }
  });
});

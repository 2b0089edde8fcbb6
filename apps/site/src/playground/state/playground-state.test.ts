import { describe, expect, test } from "vitest";
import { createContract } from "@toolcontract/core";
import { OPTION_NAMES, fitOptions, misfit } from "./options.ts";
import { DEFAULT_OPTIONS, EMPTY_STATE, MAX_CALLS, withNextCall } from "./playground-state.ts";

describe("options", () => {
  test("are core's defaults", () => {
    const { maxAttempts, onBlocked } = createContract().settings;
    expect(DEFAULT_OPTIONS).toMatchObject({ maxAttempts, onBlocked });
  });

  test("fit by default", () => {
    expect(fitOptions(DEFAULT_OPTIONS)).toEqual(DEFAULT_OPTIONS);
    expect(OPTION_NAMES).toEqual(Object.keys(DEFAULT_OPTIONS));
  });

  test.each([
    ["style", "loud", "must be one of standard, compact"],
    ["maxAttempts", 0, "must be a whole number from 1 to 10"],
    ["maxAttempts", "3", "must be a whole number from 1 to 10"],
    ["maxLength", 399, "must be a whole number from 400 to 20000"],
    ["maxErrors", 1.5, "must be a whole number from 1 to 50"],
    ["repairJson", "yes", "must be true or false"],
    ["redact", "a".repeat(201), "must be a string of at most 200 characters"],
  ] as const)("%s does not fit as %s", (name, value, reason) => {
    expect(misfit(name, value)).toBe(reason);
    expect(fitOptions({ ...DEFAULT_OPTIONS, [name]: value })).toEqual(DEFAULT_OPTIONS);
  });
});

describe("the next call", () => {
  test("is sent after the current one", () => {
    const state = { ...EMPTY_STATE, sent: ["1"], call: "2" };
    expect(withNextCall(state, "3")).toEqual({ ...state, sent: ["1", "2"], call: "3" });
    expect(withNextCall(state)).toEqual({ ...state, sent: ["1", "2"], call: "2" });
  });

  test("leaves out the oldest one if there are too many", () => {
    const sent = Array.from({ length: MAX_CALLS - 1 }, (_, index) => String(index));
    const next = withNextCall({ ...EMPTY_STATE, sent, call: "last" });
    expect(next.sent).toEqual([...sent.slice(1), "last"]);
  });
});

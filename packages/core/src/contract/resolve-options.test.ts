import { describe, expect, test } from "vitest";
import { tokensByBytes } from "../message/format-options.ts";
import { consoleLogger } from "../observe/index.ts";
import { resolveOptions } from "./resolve-options.ts";

describe("the defaults of createContract", () => {
  const format = {
    style: "standard",
    maxLength: 2_000,
    maxErrors: 10,
    maxValuePreview: 100,
    maxTokens: undefined,
    estimateTokens: tokensByBytes,
  };
  const defaults = {
    mode: "enforce",
    maxFailures: 10,
    maxAttempts: 3,
    scope: "run",
    format,
    unknownFields: "schema",
    repairJson: true,
    closeDangling: false,
    unwrapStrings: true,
    dropNulls: false,
    overBudget: "refuse",
    rules: {},
    formatters: {},
    redact: [],
    onBlocked: "forgive",
    logger: consoleLogger,
    reportAdvisories: false,
    interpreter: false,
    clock: Date.now,
  };

  test("are these, and no option else is set", () => {
    expect(resolveOptions()).toStrictEqual(defaults);
  });

  test("hold for an option that is undefined", () => {
    const undefinedOptions = Object.fromEntries(
      Object.keys(defaults).map((name) => [name, undefined]),
    );
    const given = { ...undefinedOptions, guardrails: undefined, maxCallsPerTurn: undefined };
    expect(resolveOptions(given as never)).toStrictEqual(defaults);
    expect(resolveOptions({ format: { style: undefined } } as never)).toStrictEqual(defaults);
  });

  test("are replaced one by one", () => {
    expect(resolveOptions({ maxAttempts: 1, format: { maxErrors: 2 } })).toStrictEqual({
      ...defaults,
      maxAttempts: 1,
      format: { ...format, maxErrors: 2 },
    });
  });
});

test.each([
  ["maxAttempts", 1],
  ["maxLength", 400],
  ["maxErrors", 1],
  ["maxValuePreview", 1],
  ["maxTokens", 1],
])("%s may be %d, and no less", (name, least) => {
  const given = (value: number): object =>
    name === "maxAttempts" ? { maxAttempts: value } : { format: { [name]: value } };
  expect(resolveOptions(given(least))).toMatchObject(given(least));
  expect(() => resolveOptions(given(least - 1))).toThrow(name);
});

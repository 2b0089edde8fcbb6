import { type } from "arktype";
import { expect, test } from "vitest";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { inWords } from "../../testing/in-words.ts";
import { validateStandard } from "../validate-standard.ts";

test.each<[string, StandardSchemaV1, unknown, string]>([
  ["string", type("string"), 5, "VAL-002 string"],
  ["bigint", type("bigint"), "x", "VAL-002 integer"],
  ["array", type("string[]"), "x", "VAL-002 array"],
  ["Date", type("Date"), "x", 'VAL-010 date-time string such as "2026-01-31T09:30:00Z"'],
  ["a class", type("instanceof", Map), "x", "VAL-002 what JSON cannot express"],
  ["a value", type("'a'"), "x", 'VAL-008 "a"'],
  ["values", type("'a' | 'b'"), "x", 'VAL-008 one of "a", "b"'],
  ["missing field", type({ a: "string" }), {}, "VAL-001 /a"],
  ["unknown field", type({ "+": "reject" }), { a: 1 }, "VAL-005 /a nothing here"],
  ["minimum", type("number >= 2"), 1, "VAL-003 number at least 2"],
  ["maximum", type("number <= 2"), 3, "VAL-003 number at most 2"],
  ["exclusive minimum", type("number > 2"), 2, "VAL-003 number above 2"],
  ["exclusive maximum", type("number < 2"), 2, "VAL-003 number below 2"],
  ["integer", type("number.integer"), 1.5, "VAL-002 integer"],
  ["divisor", type("number % 2"), 3, "VAL-003 number, a multiple of 2"],
  ["minLength", type("string >= 2"), "a", "VAL-009 string, at least 2 characters"],
  ["maxLength", type("string <= 2"), "abc", "VAL-009 string, at most 2 characters"],
  ["exactLength", type("string == 2"), "a", "VAL-009 string, 2 characters"],
  ["minLength of a list", type("unknown[] >= 2"), [1], "VAL-006 array, at least 2 items"],
  ["maxLength of a list", type("unknown[] <= 1"), [1, 2], "VAL-006 array, at most 1 item"],
  ["exactLength of a list", type("unknown[] == 2"), [1], "VAL-006 array, 2 items"],
  ["pattern", type(/^a/), "c", "VAL-007 string matching ^a"],
  ["email", type("string.email"), "x", "VAL-010 string in email address format"],
  ["uuid", type("string.uuid"), "x", "VAL-010 string in UUID format"],
  [
    "union of objects",
    type({ a: "string" }).or({ b: "string", c: "string" }),
    { a: 1 },
    "VAL-002 /a string",
  ],
  ["discriminator", type({ kind: "'a'" }).or({ kind: "'b'" }), { kind: "c" }, "VAL-008 /kind"],
  [
    "several rules",
    type("2 <= string <= 3 & /^a/"),
    "c",
    "VAL-007 string matching ^a; VAL-009 string, at least 2 characters",
  ],
  [
    "narrow",
    type("string").narrow((_, context) => context.mustBe("free")),
    "x",
    "VAL-016 must be free",
  ],
  [
    "narrow with a message",
    type("string").narrow((_, context) => context.reject({ message: "take another" })),
    "x",
    "VAL-016 take another",
  ],
  [
    "narrow with a problem",
    type("string").narrow((_, context) => context.reject({ problem: "is taken" })),
    "x",
    "VAL-016 is taken",
  ],
])("without a JSON Schema, %s is written from its issue alone", (_, validator, input, finding) => {
  const verdict = validateStandard(validator, input, () => undefined);
  const findings = "then" in verdict || verdict.ok ? [] : verdict.findings.map(inWords);
  const lines = findings.map(({ code, path, expected, message }) =>
    [code, ...path.map((segment) => `/${segment}`), expected ?? message ?? ""].join(" ").trim(),
  );
  expect(lines.join("; ")).toBe(finding);
});

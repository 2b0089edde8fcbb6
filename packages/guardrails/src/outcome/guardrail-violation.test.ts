import { ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";

import { GuardrailViolation } from "./guardrail-violation.ts";

test("a violation keeps its type and its words", () => {
  const thrown = new GuardrailViolation("tool_registry_violation", {
    message: "a registered tool was changed in place",
    fieldPath: "/code",
    hint: "register a new one",
  });
  expect(thrown).toBeInstanceOf(Error);
  expect(thrown).toMatchObject({
    name: "GuardrailViolation",
    message: "a registered tool was changed in place",
    type: "tool_registry_violation",
    violation: { fieldPath: "/code", hint: "register a new one" },
  });
  expect(new GuardrailViolation("too_many", "the cart is full").violation).toEqual({
    message: "the cart is full",
  });
});

test("another install's violations are recognised, other errors are not", () => {
  const foreign = Object.assign(new Error("no"), {
    type: "full",
    violation: { message: "no" },
    [Symbol.for("toolcontract.guardrail-violation")]: true,
  });
  const others = [new Error("no"), { type: "full", violation: { message: "no" } }, undefined];
  expect(GuardrailViolation.isInstance(foreign)).toBe(true);
  expect(others.map((other) => GuardrailViolation.isInstance(other))).toEqual([
    false,
    false,
    false,
  ]);
});

test.each<readonly [string, unknown[], RegExp]>([
  ["no type", ["", "m"], /the type is not a name\. Pass a stable one/],
  ["no message", ["full", ""], /'full': option 'message' must be a sentence/],
  ["no violation", ["full"], /'full': option 'message' must be a sentence/],
  [
    "a terminal one without a reason",
    ["full", { message: "m", class: "terminal_guardrail" }],
    /'full' is terminal and needs a reason: missing_credentials, /,
  ],
  [
    "a misspelt member",
    ["full", { message: "m", fieldpath: "/a" }],
    /unknown option 'fieldpath'\. Did you mean 'fieldPath'\?/,
  ],
])("%s is a mistake of the program", (_, args, message) => {
  const attempt = () => Reflect.construct(GuardrailViolation, args) as unknown;
  expect(attempt).toThrow(ToolContractError);
  expect(attempt).toThrow(message);
});

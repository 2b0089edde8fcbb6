import { ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";

import { isErrorOutcome, isOutcome, Outcome } from "./outcome.ts";

test("an outcome is frozen, recognised, and serialises to its data", () => {
  const ok = Outcome.ok({ reserved: 7 });
  const failed = Outcome.error("sold_out", "the shop refused", {
    retriable: true,
    kind: "adaptive",
    metadata: { status: 409, left: undefined, skus: ["A1"] },
  });
  expect(JSON.parse(JSON.stringify([ok, failed]))).toEqual([
    { status: "ok", value: { reserved: 7 } },
    {
      status: "error",
      error_type: "sold_out",
      error_message: "the shop refused",
      retriable: true,
      kind: "adaptive",
      metadata: { status: 409, skus: ["A1"] },
    },
  ]);
  expect([isOutcome(ok), isOutcome(failed), isErrorOutcome(ok), isErrorOutcome(failed)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect([ok, failed, failed.metadata, failed.metadata["skus"]].map(Object.isFrozen)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test("an error is not retriable unless it says so", () => {
  expect(Outcome.error("sold_out", "the shop refused")).toEqual({
    status: "error",
    error_type: "sold_out",
    error_message: "the shop refused",
    retriable: false,
    metadata: {},
  });
});

test.each(["sold_out", "SoldOut", "rate-limited", "shop.sold_out", "shop:sold/out", "_x"])(
  "%s is a type",
  (type) => {
    expect(Outcome.error(type, "m").error_type).toBe(type);
  },
);

test("metadata is copied: a later change of the caller's object does not show", () => {
  const metadata = { skus: ["A1"] };
  const failed = Outcome.error("sold_out", "the shop refused", { metadata });
  metadata.skus.push("B2");
  expect(failed.metadata).toEqual({ skus: ["A1"] });
});

test("another install's outcomes are recognised, look-alikes are not", () => {
  const brand = Symbol.for("toolcontract.outcome");
  const foreign = Object.freeze({ status: "ok", value: 1, [brand]: true });
  const lookAlikes = [
    { status: "ok", value: 1 },
    { status: "error", error_type: "x", error_message: "y", retriable: true, metadata: {} },
    { [brand]: true },
    { status: "error", [brand]: true },
    { status: "error", error_type: "x", error_message: "y", [brand]: true },
    { status: "error", error_type: "x", retriable: true, [brand]: true },
    { status: "error", error_message: "y", retriable: true, [brand]: true },
    { status: "error", error_type: "no name", error_message: "y", retriable: true, [brand]: true },
    { status: "done", error_type: "x", error_message: "y", retriable: true, [brand]: true },
    null,
    "ok",
  ];
  expect(isOutcome(foreign)).toBe(true);
  expect(lookAlikes.map(isOutcome)).toEqual(lookAlikes.map(() => false));
});

const cyclic: Record<string, unknown> = {};
cyclic["self"] = [cyclic];

test.each<readonly [string, unknown[], RegExp]>([
  ["an empty type", ["", "m"], /the type is not a name\. Pass a stable one/],
  ["a sentence as type", ["order 17 failed", "m"], /ids and values belong in the metadata/],
  ["a type of another kind", [404, "m"], /the type is not a name/],
  ["an empty message", ["t", " "], /the message of 't' is empty\. Pass a sentence/],
  ["no message", ["t"], /the message of 't' is empty/],
  [
    "retriable as a string",
    ["t", "m", { retriable: "yes" }],
    /Outcome\.error: option 'retriable' must be true or false/,
  ],
  [
    "an unknown kind",
    ["t", "m", { kind: "transient" }],
    /option 'kind' must be "extrinsic" or "adaptive" or "intrinsic"/,
  ],
  [
    "a misspelt option",
    ["t", "m", { retryable: true }],
    /unknown option 'retryable'\. Did you mean 'retriable'\?/,
  ],
  ["a list as metadata", ["t", "m", { metadata: [] }], /option 'metadata' must be an object/],
  [
    "a class instance",
    ["t", "m", { metadata: { at: new Date(0) } }],
    /an instance of a class at \/at/,
  ],
  [
    "an error as metadata",
    ["t", "m", { metadata: new Error("x") }],
    /it is an instance of a class/,
  ],
  ["a function", ["t", "m", { metadata: { a: [() => 1] } }], /a function at \/a\/0/],
  ["NaN", ["t", "m", { metadata: { "a/b": Number.NaN } }], /a number that is not finite at \/a~1b/],
  ["a cycle", ["t", "m", { metadata: cyclic }], /an object that contains itself at \/self\/0/],
])("%s is a mistake of the program, said with its fix", (_, args, message) => {
  const { error } = Outcome as { error: (...given: unknown[]) => unknown };
  const attempt = () => error(...args);
  expect(attempt).toThrow(ToolContractError);
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(/^Outcome\.error: /);
});

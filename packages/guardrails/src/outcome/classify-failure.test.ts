import assert from "node:assert";

import { Command, GraphInterrupt, NodeInterrupt, ParentCommand } from "@langchain/langgraph";
import { ToolContractError } from "@toolcontract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Classification } from "../shared/index.ts";
import { adaptive, classOf, extrinsic, failureOf, intrinsic, thrownBy } from "../testing/index.ts";
import { classifyFailure, isFailedResult } from "./classify-failure.ts";
import { GuardrailViolation } from "./guardrail-violation.ts";
import { Outcome } from "./outcome.ts";

describe("what is not a failure", () => {
  test.each<readonly [string, unknown]>([
    ["an interrupt", new GraphInterrupt([{ value: "approve?" }])],
    ["an interrupt of a node", new NodeInterrupt("approve?")],
    ["a command to the parent graph", new ParentCommand(new Command({ goto: "next" }))],
    ["an interrupt whose class was lost", { name: "GraphInterrupt", message: "[]" }],
    ["a redirect", Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/" })],
    ["a tripwire", Object.assign(new Error("stopped"), { name: "TripWire" })],
  ])("%s steers the host's run", (_, error) => {
    expect(failureOf(error)).toEqual({ kind: "control-flow" });
  });

  test("whatever is thrown after the host's own abort, also a string", () => {
    const host = new AbortController();
    host.abort("user left");
    const context = { tool: "t", args: {}, thrown: true };
    for (const error of [host.signal.reason, new TypeError("bug"), undefined]) {
      expect(classifyFailure(error, context, { signal: host.signal })).toEqual({
        kind: "control-flow",
      });
    }
  });

  test("what was returned after the abort is still what it says", () => {
    const signal = AbortSignal.abort();
    const context = { tool: "t", args: {}, thrown: false };
    expect(classifyFailure(Outcome.error("late", "too late"), context, { signal }).kind).toBe(
      "failure",
    );
  });
});

test("a GuardrailViolation is one of the guardrail lane, as the same object", () => {
  const violation = new GuardrailViolation("full", "the cart is full");
  expect(failureOf(violation)).toEqual({ kind: "violation", violation });
});

describe("Outcome.error", () => {
  test.each<readonly [string, Parameters<typeof Outcome.error>[2], Classification]>([
    ["says nothing more", undefined, { ...adaptive("sold_out"), retriable: false }],
    ["is retriable", { retriable: true }, adaptive("sold_out")],
    [
      "names its kind",
      { kind: "intrinsic", retriable: true },
      { ...intrinsic("sold_out"), retriable: true },
    ],
    ["has a status", { metadata: { status: 503 } }, extrinsic("sold_out")],
    [
      "has a status and is retriable",
      { metadata: { status: 409 }, retriable: true },
      adaptive("sold_out"),
    ],
    [
      "has a kind and another status",
      { kind: "adaptive", metadata: { status: 503 } },
      { ...adaptive("sold_out"), retriable: false },
    ],
    [
      "has a status that is none",
      { metadata: { status: 42 }, retriable: true },
      adaptive("sold_out"),
    ],
    [
      "is unauthorised, by its author's word alone",
      { metadata: { status: 401 } },
      extrinsic("sold_out"),
    ],
  ])("that %s", (_, options, expected) => {
    const outcome = Outcome.error("sold_out", "the shop refused\nask later", options);
    expect(failureOf(outcome, {}, false)).toEqual({
      kind: "failure",
      classification: expected,
      message: "the shop refused\nask later",
    });
    // Thrown, it says the same.
    expect(classOf(outcome)).toEqual(expected);
  });
});

describe("a result of MCP", () => {
  const result = { isError: true, content: [{ type: "text", text: "No such page.\nTry search." }] };
  test("with isError is for the model", () => {
    expect(failureOf(result, {}, false)).toEqual({
      kind: "failure",
      classification: adaptive("tool_error"),
      message: "No such page.",
    });
  });
});

test.each<readonly [string, unknown, boolean]>([
  ["Outcome.error", Outcome.error("sold_out", "no"), true],
  ["isError", { isError: true, content: [] }, true],
  ["a problem", { type: "https://example.com/x", title: "X", status: 404 }, true],
  ["Outcome.ok", Outcome.ok(1), false],
  ["isError: false", { isError: false, content: [] }, false],
  ["data that resembles a problem", { type: "book", title: "X", status: 404 }, false],
  ["a problem without an error's status", { type: "/x", title: "X", status: 200 }, false],
  ["an error as a value", new Error("x"), false],
  ["nothing", undefined, false],
])("whether a returned value failed: %s", (_, value, failed) => {
  expect(isFailedResult(value)).toBe(failed);
});

describe("mistakes in the tool's code", () => {
  test.each<readonly [string, () => unknown, string]>([
    ["TypeError", () => (undefined as unknown as { a: 1 }).a, "TypeError"],
    // oxlint-disable-next-line typescript/no-implied-eval -- a name that the compiler does not see
    ["ReferenceError", () => new Function("return missingName")() as unknown, "ReferenceError"],
    ["RangeError", () => "x".repeat(-1), "RangeError"],
    ["SyntaxError", () => JSON.parse("{") as unknown, "SyntaxError"],
    ["AssertionError", () => assert.equal(1, 2), "AssertionError"],
    ["a schema of zod", () => z.object({ a: z.string() }).parse({}), "invalid_data"],
    [
      "misuse of this library",
      () => {
        throw new ToolContractError("no");
      },
      "ToolContractError",
    ],
  ])("%s", async (_, run, type) => {
    expect(classOf(await thrownBy(run))).toEqual(intrinsic(type));
  });

  test.each([
    "ValiError",
    "ValidationError",
    "AI_TypeValidationError",
    "TraversalError",
    "SchemaError",
  ])("a validator's %s", (name) => {
    expect(classOf(Object.assign(new Error("no"), { name }))).toEqual(intrinsic("invalid_data"));
  });

  test("as a cause of an error with words of its own, it is the author's", () => {
    const error = new Error("the filter is not valid JSON", { cause: new SyntaxError("x") });
    expect(classOf(error)).toEqual(adaptive("Error"));
  });
});

describe("anything else", () => {
  class SoldOut extends Error {}
  test.each<readonly [string, unknown, string, string]>([
    ["an error", new Error("sold out"), "Error", "sold out"],
    ["a class of the author", new SoldOut("sold out"), "SoldOut", "sold out"],
    ["a name of the author", Object.assign(new Error("no"), { name: "SoldOut" }), "SoldOut", "no"],
    ["a name with a value", Object.assign(new Error("no"), { name: "order 17" }), "Error", "no"],
    ["a string", "sold out", "error", "sold out"],
    ["several lines", new Error("\n first \n second"), "Error", "first"],
    ["undefined", undefined, "error", "the tool failed"],
    ["null", null, "error", "the tool failed"],
    ["a number", 42, "error", "the tool failed"],
    ["an empty message", new Error(""), "Error", "the tool failed"],
    ["a plain object", { message: "sold out" }, "error", "sold out"],
    ["an Outcome.ok", Outcome.ok(1), "error", "the tool failed"],
  ])("%s", (_, error, type, message) => {
    expect(failureOf(error)).toEqual({
      kind: "failure",
      classification: adaptive(type),
      message,
    });
  });

  test("a long message is cut", () => {
    const failure = failureOf(new Error("x".repeat(1000)));
    expect(failure.kind === "failure" && failure.message).toBe(`${"x".repeat(299)}…`);
  });
});

describe("whatever is thrown", () => {
  const hostile = new Proxy(
    {},
    Object.fromEntries(
      ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"].map((trap) => [
        trap,
        () => {
          throw new Error("no entry");
        },
      ]),
    ),
  );
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const throwing = Object.defineProperty(new Error("x"), "code", {
    get() {
      throw new Error("no entry");
    },
  });
  // As functions: fast-check itself reads what it generates.
  const anything = fc.oneof(
    fc
      .anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
      .map((value) => () => value),
    ...[hostile, revoked, throwing, Symbol("x"), () => hostile].map((value) =>
      fc.constant<() => unknown>(() => value),
    ),
  );
  const key = fc.constantFrom(
    "body",
    "cause",
    "code",
    "content",
    "data",
    "details",
    "digest",
    "errors",
    "headers",
    "isError",
    "message",
    "metadata",
    "name",
    "path",
    "response",
    "status",
    "title",
    "type",
  );
  const errorLike = fc
    .tuple(fc.boolean(), fc.array(fc.tuple(key, anything)))
    .map(([real, fields]) => () => {
      const target = real ? new Error("x") : {};
      for (const [name, value] of fields) {
        Object.defineProperty(target, name, { value: value(), configurable: true });
      }
      return target;
    });

  test("the classifier never throws and always answers in its words", () => {
    fc.assert(
      fc.property(fc.oneof(anything, errorLike), anything, fc.boolean(), (error, args, thrown) => {
        const failure = failureOf(error(), args(), thrown);
        expect(typeof isFailedResult(error())).toBe("boolean");
        if (failure.kind !== "failure") return;
        expect(["extrinsic", "adaptive", "intrinsic"]).toContain(failure.classification.class);
        expect(failure.classification.error_type).toMatch(/^[A-Za-z_][\w.:/-]{0,63}$/);
        expect(failure.message.length).toBeLessThanOrEqual(300);
        expect(failure.message).not.toBe("");
      }),
      { numRuns: 2000 },
    );
  });
});

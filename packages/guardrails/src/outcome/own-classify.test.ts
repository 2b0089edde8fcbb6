import { GraphInterrupt } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import type { Classification } from "../shared/index.ts";
import { classifyFailure } from "./classify-failure.ts";
import type { ClassifiedFailure } from "./classify-failure.ts";
import { GuardrailViolation } from "./guardrail-violation.ts";
import { adaptive, intrinsic } from "../testing/index.ts";

describe("the user's own classify", () => {
  const context = { tool: "t", args: { a: 1 }, thrown: true };
  const ask = (classify: unknown, error: unknown = new Error("no")): ClassifiedFailure =>
    classifyFailure(error, context, { classify: classify as () => undefined });

  test("wins for what it answers, and gets the error and what is known", () => {
    const asked: unknown[] = [];
    const answer: Classification = {
      class: "extrinsic",
      error_type: "busy",
      retriable: false,
      terminal: "dependency_unavailable",
      retryAfterMs: 50,
    };
    const error = new TypeError("no");
    expect(ask((...given: unknown[]) => (asked.push(...given), answer), error)).toEqual({
      kind: "failure",
      classification: answer,
      message: "no",
    });
    expect(asked).toEqual([error, context]);
    expect(ask(() => undefined, error)).toMatchObject({ classification: intrinsic("TypeError") });
  });

  test("is not asked about control flow and violations", () => {
    const never = (): never => expect.unreachable();
    expect(ask(never, new GraphInterrupt([])).kind).toBe("control-flow");
    expect(ask(never, new GuardrailViolation("full", "no")).kind).toBe("violation");
  });

  test.each<readonly [string, unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("secret");
      },
      "classify threw",
    ],
    ["is async", () => Promise.reject(new Error("secret")), "classify returned a promise"],
    ["returns null", () => null, "classify returned no object"],
    ["returns a string", () => "adaptive", "classify returned no object"],
    [
      "names no class",
      () => ({ class: "transient", error_type: "x", retriable: true }),
      "classify returned an unknown class",
    ],
    [
      "names no type",
      () => ({ class: "adaptive", error_type: "", retriable: true }),
      "classify returned an error_type that is not a name",
    ],
    [
      "says nothing of retrying",
      () => ({ class: "adaptive", error_type: "x" }),
      "classify returned no retriable",
    ],
    [
      "invents a reason",
      () => ({ class: "adaptive", error_type: "x", retriable: true, terminal: "tired" }),
      "classify returned an unknown terminal reason",
    ],
    [
      "waits for ever",
      () => ({
        class: "adaptive",
        error_type: "x",
        retriable: true,
        retryAfterMs: Number.POSITIVE_INFINITY,
      }),
      "classify returned a retryAfterMs that is not a time",
    ],
  ])("that %s is reported, and the table decides", (_, classify, fault) => {
    expect(ask(classify)).toEqual({
      kind: "failure",
      classification: adaptive("Error"),
      message: "no",
      fault,
    });
  });
});

import { describe, expect, test } from "vitest";
import { ADD_ITEM, callOf, refusal, staged } from "../testing/staged.ts";
import type { ContractOptions } from "./options.ts";
import { type Handled, resultMarker } from "../call/index.ts";
import type { Rule, RuleError, StageRefusal } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { registerErrorCodes } from "@toolcontract/explain/adapter";
import { countAttempts } from "../attempts/index.ts";
import { createContract } from "./create-contract.ts";
import { parseRejection } from "../message/index.ts";

registerErrorCodes({
  prefix: "GRD",
  codes: { "GRD-001": "Not allowed" },
  page: "https://example.com/{code}",
});

const HERE = { conversationId: "c", tool: ADD_ITEM, execute: () => "added" };
const UNREGISTERED = /^The error code QQQ-001 is not registered\. Call registerErrorCodes\(/;

function reporting(errorCode: string): RuleError[] {
  return [{ message: "not today", fieldPath: "/qty", errorCode: errorCode as never }];
}

const WAYS: Readonly<Record<string, (rule: Rule<never>, stage?: object) => Promise<unknown>>> = {
  check: async (rule, stage) => staged(stage, withRule(rule)).contract.check(ADD_ITEM, { qty: 1 }),
  checkAsync: async (rule, stage) =>
    staged(stage, withRule(rule)).contract.checkAsync(ADD_ITEM, { qty: 1 }),
  handle: async (rule, stage) =>
    staged(stage, withRule(rule)).contract.handle(callOf({ qty: 1 }), HERE),
  handleTurn: async (rule, stage) =>
    staged(stage, withRule(rule)).contract.handleTurn([callOf({}), callOf({ qty: 1 })], HERE),
};

function withRule(rule: Rule<never>): ContractOptions {
  return { rules: { add_item: [rule] } };
}

describe("a code that no package has registered is its author's mistake", () => {
  const fine = (): undefined => undefined;

  test.each(Object.entries(WAYS))("a rule's, through %s", async (name, way) => {
    await expect(way(() => reporting("QQQ-001"))).rejects.toThrow(UNREGISTERED);
    if (name === "check") return;
    await expect(way(async () => reporting("QQQ-001"))).rejects.toThrow(ToolContractError);
  });

  test.each(Object.entries(WAYS))("a stage's check, through %s", async (_, way) => {
    const check = (): StageRefusal => refusal({ errors: reporting("QQQ-001") });
    await expect(way(fine, { check })).rejects.toThrow(UNREGISTERED);
  });

  test("what a stage says around the run", async () => {
    const around = (): StageRefusal => refusal({ errors: reporting("QQQ-001") });
    await expect(staged({ around }).add({ qty: 1 })).rejects.toThrow(UNREGISTERED);
  });

  test("nothing is counted for it", async () => {
    const { contract, add } = staged(
      undefined,
      withRule(() => reporting("QQQ-001")),
    );
    await expect(add({ qty: 1 })).rejects.toThrow(ToolContractError);
    expect(contract.metrics()).toMatchObject({ calls: 0, byCode: {} });
    expect(await add({})).toMatchObject({ status: "rejected", attempt: 1 });
  });
});

describe("the code of an error that a rule reports", () => {
  test.each([
    ["registered by a package", "GRD-001", "GRD-001"],
    ["core's", "VAL-008", "VAL-008"],
    ["core's prefix, but no code of core", "VAL-017", "VAL-016"],
    ["no code at all", "not allowed", "VAL-016"],
    ["in small letters", "grd-001", "VAL-016"],
    ["a name of every object", "constructor", "VAL-016"],
    ["no string", 5 as never, "VAL-016"],
  ])("%s: %s is shown as %s", async (_, errorCode, shown) => {
    const { add } = staged(
      undefined,
      withRule(() => reporting(errorCode)),
    );
    const answer = await add({ qty: 1 });
    expect(answer).toMatchObject({ errors: [{ errorCode: shown, message: "not today" }] });
    expect(parseRejection(answer.result.content)?.errors).toMatchObject([{ errorCode: shown }]);
  });

  test("a package's code without a message gets its meaning", async () => {
    const { add } = staged(
      undefined,
      withRule(() => [{ errorCode: "GRD-001" } as never]),
    );
    expect((await add({ qty: 1 })).result.content).toContain("(GRD-001): ");
  });
});

describe("errors of another process", () => {
  test.each([
    ["a prefix that nobody registered here", "QQQ-001", "QQQ-001"],
    ["a code that its package does not have here", "GRD-900", "GRD-900"],
    ["no code of core", "VAL-017", "VAL-016"],
    ["no code", "Q-1", "VAL-016"],
  ])("%s: %s is shown as %s", async (_, errorCode, shown) => {
    const contract = createContract({ logger: () => undefined });
    const error = { errorCode, fieldPath: "/qty", message: "not today", severity: "error" };
    const call = callOf({ qty: 1 });
    const answer = await contract.reject(call, [error as never], { tool: ADD_ITEM, attempt: 1 });
    expect(answer.errors).toMatchObject([{ errorCode: shown, message: "not today" }]);
    expect(answer.result.content).toContain(`• /qty (${shown}): not today`);
    expect(contract.metrics().byCode).toEqual({ [shown]: 1 });
  });
});

describe("all errors of a call are counted, not only those that are kept", () => {
  const faults = (count: number, from = 0): RuleError[] =>
    Array.from({ length: count }, (_, index) => ({
      message: `fault ${from + index}`,
      fieldPath: `/items/${from + index}`,
    }));

  /** An OpenTelemetry that adds up its counters. */
  function telemetry() {
    const sums: Record<string, number> = {};
    const createCounter = (name: string) => ({
      add: (
        value: number,
        attributes: Readonly<Record<string, string | number | boolean | string[]>>,
      ) => {
        const key = `${name} ${String(attributes["toolcontract.error.code"] ?? "")}`.trim();
        sums[key] = (sums[key] ?? 0) + value;
      },
    });
    const createHistogram = () => ({ record: () => undefined });
    return { sums, api: { metrics: { getMeter: () => ({ createCounter, createHistogram }) } } };
  }

  const SOURCES: Readonly<Record<string, (count: number) => Parameters<typeof staged>>> = {
    "a rule": (count) => [undefined, withRule(() => faults(count))],
    "a stage's check": (count) => [{ check: () => refusal({ errors: faults(count) }) }],
    "a stage around the run": (count) => [{ around: () => refusal({ errors: faults(count) }) }],
  };

  test.each(Object.entries(SOURCES))("27 of %s", async (_, source) => {
    const { api, sums } = telemetry();
    const [stage, options] = source(27);
    const { add, contract, lines } = staged(stage, { ...options, telemetry: api });
    const answers: Handled[] = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(await add({ qty: turn }));
    const [first, , last] = answers;
    expect(parseRejection(first?.result.content)).toMatchObject({ hiddenErrors: 17 });
    const marker = resultMarker(first!.result);
    expect(marker.errors).toHaveLength(5);
    expect(marker.totalErrors).toBe(27);
    expect(JSON.parse(JSON.stringify(first)).result.totalErrors).toBe(27);
    expect(last).toMatchObject({
      status: "blocked",
      escalation: { history: [{ totalErrors: 27 }, { totalErrors: 27 }, { totalErrors: 27 }] },
    });
    const summary = last?.status === "blocked" ? last.escalation.summary : "";
    expect(summary.match(/and 24 more/g)).toHaveLength(3);
    expect(contract.metrics().byCode).toEqual({ "VAL-016": 81 });
    expect(sums["toolcontract.errors VAL-016"]).toBe(81);
    const counts = lines.map(({ fields }) => ("error_count" in fields ? fields.error_count : 0));
    expect(counts).toEqual([27, 27, 27]);
  });

  test("the same from a history of markers or of texts", async () => {
    const { add } = staged(
      undefined,
      withRule(() => faults(27)),
    );
    const { result } = await add({ qty: 1 });
    const call = { id: result.toolCallId, name: "add_item" };
    const answer = { toolCallId: result.toolCallId, isError: true };
    const from = (extra: object): unknown =>
      countAttempts([{ calls: [call], results: [{ ...answer, ...extra }] }], "add_item", "run")
        .history[0]?.totalErrors;
    expect(from({ marker: resultMarker(result) })).toBe(27);
    expect(from({ content: result.content })).toBe(27);
  });

  test("calls of one turn are one attempt with the errors of all", async () => {
    let from = 0;
    const { contract } = staged(
      undefined,
      withRule(() => faults(6, (from += 10))),
    );
    const calls = [callOf({ qty: 1 }), callOf({ qty: 2 }), callOf({ qty: 3 })];
    const answers = await contract.handleTurn(calls, { ...HERE, turnId: "1" });
    expect(answers.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    await contract.handle(callOf({ qty: 4 }), { ...HERE, turnId: "2" });
    const last = await contract.handle(callOf({ qty: 5 }), { ...HERE, turnId: "3" });
    const history = last.status === "blocked" ? last.escalation.history : [];
    expect(history.map(({ errors, totalErrors }) => [errors.length, totalErrors])).toEqual([
      [5, 18],
      [5, 6],
      [5, 6],
    ]);
  });

  test("five or fewer need no total", async () => {
    const { add } = staged(
      undefined,
      withRule(() => faults(5)),
    );
    const { result } = await add({ qty: 1 });
    expect(result).not.toHaveProperty("totalErrors");
    expect(resultMarker(result)).not.toHaveProperty("totalErrors");
  });
});

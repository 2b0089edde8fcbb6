import { describe, expect, test } from "vitest";
import type { ErrorCode } from "@toolcontract/explain";
import { createMetrics } from "./metrics.ts";
import type { CallAdmitted, CallRefused, ReportedCall } from "./report.ts";

function callOf(toolName: string): ReportedCall {
  const named = { toolName, toolCallId: "call_1", conversationId: "c" };
  return { ...named, startedAt: undefined, identity: () => named };
}

function admitted(toolName: string): CallAdmitted {
  return {
    kind: "admitted",
    call: callOf(toolName),
    checked: { advisories: [] },
    isRepaired: false,
  };
}

function refused(
  toolName: string,
  status: CallRefused["status"],
  codes: readonly ErrorCode[] = [],
): CallRefused {
  return {
    kind: "refused",
    call: callOf(toolName),
    status,
    lane: "validation",
    attempt: 1,
    maxAttempts: 3,
    errors: codes.map((errorCode) => ({
      errorCode,
      fieldPath: "",
      message: "no",
      severity: "error",
    })),
    totalErrors: codes.length,
    hidden: undefined,
    isRepaired: false,
    hasRun: false,
    isObserved: false,
    escalation: undefined,
  };
}

describe("createMetrics", () => {
  test("is all zero before the first call", () => {
    expect(createMetrics().snapshot()).toEqual({
      calls: 0,
      admitted: 0,
      rejected: 0,
      blocked: 0,
      repaired: 0,
      recovered: 0,
      failureRate: 0,
      byTool: {},
      byCode: {},
      byLane: {},
    });
  });

  test("tracks failure rates, in total and by tool, and counts errors by code", () => {
    const metrics = createMetrics();
    metrics.count({ ...admitted("read_file"), isRepaired: true });
    metrics.count(refused("read_file", "rejected", ["VAL-001", "VAL-008"]));
    metrics.count(refused("read_file", "blocked", ["VAL-001"]));
    metrics.count(admitted("write_file"));
    metrics.count({ kind: "recovered", call: callOf("read_file"), lane: "validation", attempt: 2 });
    expect(metrics.snapshot()).toEqual({
      calls: 4,
      admitted: 2,
      rejected: 1,
      blocked: 1,
      repaired: 1,
      recovered: 1,
      failureRate: 0.5,
      byTool: {
        read_file: {
          calls: 3,
          admitted: 1,
          rejected: 1,
          blocked: 1,
          repaired: 1,
          recovered: 1,
          failureRate: 2 / 3,
        },
        write_file: {
          calls: 1,
          admitted: 1,
          rejected: 0,
          blocked: 0,
          repaired: 0,
          recovered: 0,
          failureRate: 0,
        },
      },
      byCode: { "VAL-001": 2, "VAL-008": 1 },
      byLane: { validation: 2 },
    });
  });

  test("counts the errors that a message has no room for, the lane, and a call that ran only once", () => {
    const metrics = createMetrics();
    metrics.count({
      ...refused("read_file", "rejected", ["VAL-001"]),
      hidden: { "VAL-001": 26, "VAL-005": 3 },
    });
    metrics.count(admitted("read_file"));
    metrics.count({ ...refused("read_file", "blocked"), lane: "guardrail", hasRun: true });
    expect(metrics.snapshot()).toMatchObject({
      calls: 2,
      admitted: 1,
      rejected: 1,
      blocked: 1,
      byCode: { "VAL-001": 27, "VAL-005": 3 },
      byLane: { validation: 1, guardrail: 1 },
    });
  });

  test("a snapshot does not change", () => {
    const metrics = createMetrics();
    metrics.count(admitted("read_file"));
    const before = metrics.snapshot();
    metrics.count(refused("read_file", "rejected"));
    expect(before).toMatchObject({ calls: 1, byTool: { read_file: { calls: 1 } } });
  });

  test("keeps 1,000 tools apart and counts the others together", () => {
    const metrics = createMetrics();
    for (let tool = 0; tool < 3_000; tool++) metrics.count(refused(`tool_${tool}`, "rejected"));
    metrics.count(admitted("tool_999"));
    const { byTool } = metrics.snapshot();
    expect(Object.keys(byTool)).toHaveLength(1_001);
    expect(byTool["(other)"]?.calls).toBe(2_000);
    expect(byTool["tool_999"]?.calls).toBe(2);
  });

  test("a tool named __proto__ is data", () => {
    const metrics = createMetrics();
    for (const name of ["__proto__", "constructor", "toString"])
      metrics.count(refused(name, "rejected"));
    const { byTool } = metrics.snapshot();
    expect(Object.keys(byTool)).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.values(byTool).map((counts) => counts.rejected)).toEqual([1, 1, 1]);
    expect(({} as Record<string, unknown>)["rejected"]).toBeUndefined();
  });
});

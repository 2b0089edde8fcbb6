import { describe, expect, test } from "vitest";
import { type CallOutcome, createMetrics } from "./metrics.ts";

function call(
  toolName: string,
  outcome: CallOutcome["outcome"],
  codes: CallOutcome["codes"] = [],
): CallOutcome {
  return { toolName, toolCallId: "call_1", outcome, codes, repaired: false };
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
    metrics.record({ ...call("read_file", "admitted"), repaired: true });
    metrics.record(call("read_file", "rejected", ["VAL-001", "VAL-008"]));
    metrics.record(call("read_file", "blocked", ["VAL-001"]));
    metrics.record(call("write_file", "admitted"));
    metrics.recovered("read_file");
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
      byLane: {},
    });
  });

  test("counts the errors that a message has no room for, the lane, and a call that ran only once", () => {
    const metrics = createMetrics();
    metrics.record({
      ...call("read_file", "rejected", ["VAL-001"]),
      lane: "validation",
      hidden: { "VAL-001": 26, "VAL-005": 3 },
    });
    metrics.record(call("read_file", "admitted"));
    metrics.record({ ...call("read_file", "blocked"), lane: "guardrail", hasRun: true });
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
    metrics.record(call("read_file", "admitted"));
    const before = metrics.snapshot();
    metrics.record(call("read_file", "rejected"));
    expect(before).toMatchObject({ calls: 1, byTool: { read_file: { calls: 1 } } });
  });

  test("keeps 1,000 tools apart and counts the others together", () => {
    const metrics = createMetrics();
    for (let tool = 0; tool < 3_000; tool++) metrics.record(call(`tool_${tool}`, "rejected"));
    metrics.record(call("tool_999", "admitted"));
    const { byTool } = metrics.snapshot();
    expect(Object.keys(byTool)).toHaveLength(1_001);
    expect(byTool["(other)"]?.calls).toBe(2_000);
    expect(byTool["tool_999"]?.calls).toBe(2);
  });

  test("a tool named __proto__ is data", () => {
    const metrics = createMetrics();
    for (const name of ["__proto__", "constructor", "toString"])
      metrics.record(call(name, "rejected"));
    const { byTool } = metrics.snapshot();
    expect(Object.keys(byTool)).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.values(byTool).map((counts) => counts.rejected)).toEqual([1, 1, 1]);
    expect(({} as Record<string, unknown>)["rejected"]).toBeUndefined();
  });
});

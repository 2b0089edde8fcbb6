import * as openTelemetry from "@opentelemetry/api";
import { describe, expect, test, vi } from "vitest";
import { type ContractOptions, type TelemetryOptions, createContract } from "../index.ts";
import { ADD_ITEM, callOf } from "../testing/staged.ts";

const counter = { add: (): void => undefined };
const throws = (): never => {
  throw new RangeError("sk-live-4242424242424242");
};
const meter = { createCounter: () => counter };

/** Sends two invalid calls and a valid one; returns the statuses, and the stages that failed. */
async function sent(telemetry: TelemetryOptions): Promise<readonly [string[], string[]]> {
  const stages: string[] = [];
  const options: ContractOptions = {
    telemetry,
    logger: (fields) => "stage" in fields && stages.push(String(fields.stage)),
  };
  const contract = createContract(options);
  const statuses: string[] = [];
  for (const [turn, qty] of ["1", "2", 3].entries()) {
    const context = { conversationId: "thread-7", turnId: `${turn}`, tool: ADD_ITEM };
    const answer = await contract.admit(callOf({ qty }), context);
    statuses.push(answer.status);
  }
  return [statuses, stages];
}

const AS_WITHOUT = ["rejected", "rejected", "admitted"];

describe("OpenTelemetry without an SDK, or of another age", () => {
  test.each<[string, TelemetryOptions, ...stages: string[]]>([
    ["the module without an SDK", openTelemetry],
    ["nothing of it", {}],
    [
      "the objects that were enough before",
      { metrics: { getMeter: () => meter }, trace: { getActiveSpan: () => ({}) } },
      "telemetry: no metrics.createHistogram",
      "telemetry: no trace.getTracer",
    ],
    [
      "a tracer that starts no spans",
      { trace: { getTracer: () => ({}) as never } },
      "telemetry: no trace.getTracer().startSpan",
    ],
    [
      "an active span that takes no attributes",
      { refusals: "active", trace: { getActiveSpan: () => ({}) } },
      "telemetry: no trace.getActiveSpan().setAttributes",
    ],
    ["a meter that throws", { metrics: { getMeter: throws } }, "telemetry"],
    [
      "a counter that throws",
      { metrics: { getMeter: () => ({ createCounter: throws }) } },
      "telemetry",
    ],
    ["a tracer that throws", { trace: { getTracer: () => ({ startSpan: throws }) } }, "telemetry"],
    ["a logger that throws", { logs: { getLogger: () => ({ emit: throws }) } }, "telemetry"],
    [
      "a context that throws",
      {
        trace: { getTracer: () => ({ startSpan: () => ({}) }), setSpan: () => ({}) },
        context: { active: throws },
        logs: { getLogger: () => ({ emit: () => undefined }) },
      },
      "telemetry",
    ],
  ])("%s changes no call, and what is missing is logged once", async (_, telemetry, ...stages) => {
    expect(await sent(telemetry)).toEqual([AS_WITHOUT, stages]);
  });

  test("what is missing is also counted and recorded, if something can", async () => {
    const add = vi.fn();
    const emit = vi.fn();
    await sent({
      metrics: { getMeter: () => ({ createCounter: () => ({ add }) }) },
      logs: { getLogger: () => ({ emit }) },
    });
    const stage = { "toolcontract.stage": "telemetry: no metrics.createHistogram" };
    expect(add).toHaveBeenCalledWith(1, stage);
    expect(emit).toHaveBeenCalledWith(
      expect.objectContaining({ eventName: "toolcontract.degraded", severityText: "WARN" }),
    );
  });

  test("instruments are created with the first call, when the SDK is registered", async () => {
    const getMeter = vi.fn(() => meter);
    const contract = createContract({ logger: false, telemetry: { metrics: { getMeter } } });
    expect(getMeter).not.toHaveBeenCalled();
    contract.check(ADD_ITEM, {});
    contract.check(ADD_ITEM, {});
    expect(getMeter).toHaveBeenCalledOnce();
  });
});

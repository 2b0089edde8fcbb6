import * as openTelemetry from "@opentelemetry/api";
import { describe, expect, test, vi } from "vitest";
import { type ContractOptions, createContract } from "../contract/index.ts";
import type { TelemetryOptions } from "./telemetry-api.ts";
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
      "telemetry: no metrics.createHistogram",
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

  describe("a part that fails takes no other with it", () => {
    /** Everything that the contract uses, and how much of it was heard. */
    function whole() {
      const heard = { calls: 0, logs: 0, spans: 0, ended: 0 };
      const createCounter = (name: string) => ({
        add: () => void (name === "toolcontract.calls" && (heard.calls += 1)),
      });
      const createHistogram = () => ({ record: () => undefined });
      const startSpan = () => {
        heard.spans += 1;
        return { setStatus: () => undefined, end: () => void (heard.ended += 1) };
      };
      const emit = ({ eventName }: { readonly eventName: string }): void => {
        if (eventName.startsWith("toolcontract.call.")) heard.logs += 1;
      };
      const api = {
        metrics: { getMeter: () => ({ createCounter, createHistogram }) },
        trace: { getTracer: () => ({ startSpan }), setSpan: () => ({}) },
        context: { active: () => ({}) },
        logs: { getLogger: () => ({ emit }) },
      } satisfies TelemetryOptions;
      return { heard, api, startSpan, createHistogram };
    }
    type Whole = ReturnType<typeof whole>;
    const later = async (): Promise<void> => throws();
    const meterOf = (createCounter: unknown) => (one: Whole) => ({
      metrics: { getMeter: () => ({ createCounter, createHistogram: one.createHistogram }) },
    });
    const loggerOf = (logger: unknown) => () => ({ logs: { getLogger: () => logger } });
    const traceOf = (trace: object) => (one: Whole) => ({ trace: { ...one.api.trace, ...trace } });
    const spanOf = (change: object) => (one: Whole) => ({
      trace: { getTracer: () => ({ startSpan: () => ({ ...one.startSpan(), ...change }) }) },
    });

    test.each<[string, (one: Whole) => object, heard: object]>([
      ["getMeter throws", () => ({ metrics: { getMeter: throws } }), { calls: 0 }],
      ["getMeter is missing", () => ({ metrics: {} }), { calls: 0 }],
      ["createCounter is missing", meterOf(undefined), { calls: 0 }],
      ["createCounter returns nothing", meterOf(() => undefined), { calls: 0 }],
      ["add throws", meterOf(() => ({ add: throws })), { calls: 0 }],
      ["add rejects", meterOf(() => ({ add: later })), { calls: 0 }],
      ["getTracer throws", () => ({ trace: { getTracer: throws } }), { spans: 0, ended: 0 }],
      [
        "getTracerProvider returns nothing",
        traceOf({ getTracerProvider: () => undefined }),
        { spans: 0, ended: 0 },
      ],
      [
        "startSpan returns nothing",
        traceOf({ getTracer: () => ({ startSpan: () => undefined }) }),
        { spans: 0, ended: 0 },
      ],
      ["getActiveSpan throws", traceOf({ getActiveSpan: throws }), { spans: 0, ended: 0 }],
      ["setSpan throws", traceOf({ setSpan: throws }), {}],
      ["setStatus throws", spanOf({ setStatus: throws }), {}],
      ["end throws", spanOf({ end: throws }), { ended: 0 }],
      ["active is missing", () => ({ context: {} }), {}],
      ["getLogger is missing", () => ({ logs: {} }), { logs: 0 }],
      ["getLogger throws", () => ({ logs: { getLogger: throws } }), { logs: 0 }],
      ["emit is missing", loggerOf({}), { logs: 0 }],
      ["emit rejects", loggerOf({ emit: later }), { logs: 0 }],
    ])("%s", async (_, change, heard) => {
      const one = whole();
      const telemetry = { ...one.api, ...change(one) } as TelemetryOptions;
      expect(await sent(telemetry)).toEqual([AS_WITHOUT, ["telemetry"]]);
      expect(one.heard).toEqual({ calls: 3, logs: 2, spans: 2, ended: 2, ...heard });
    });

    test("no active span, as null", async () => {
      const one = whole();
      const telemetry = { ...one.api, ...traceOf({ getActiveSpan: () => null })(one) };
      expect(await sent(telemetry as TelemetryOptions)).toEqual([AS_WITHOUT, []]);
      expect(one.heard).toEqual({ calls: 3, logs: 2, spans: 2, ended: 2 });
    });
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

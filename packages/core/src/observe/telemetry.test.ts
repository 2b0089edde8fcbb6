import * as openTelemetry from "@opentelemetry/api";
import { afterEach, describe, expect, test } from "vitest";
import type { CallOutcome } from "./metrics.ts";
import { createTelemetry } from "./telemetry.ts";

type Attributes = Readonly<Record<string, unknown>>;
type Measured = readonly [counter: string, attributes: Attributes];

const rejected: CallOutcome = {
  toolName: "read_file",
  toolCallId: "call_abc123",
  outcome: "rejected",
  codes: ["VAL-001", "VAL-008"],
  repaired: false,
};

/** A meter provider like that of an SDK, which records measurements. */
function registerMeter(): Measured[] {
  const measured: Measured[] = [];
  const meter = openTelemetry.createNoopMeter();
  meter.createCounter = (name) => ({
    add: (_, attributes) => void measured.push([name, attributes ?? {}]),
  });
  openTelemetry.metrics.setGlobalMeterProvider({ getMeter: () => meter });
  return measured;
}

afterEach(() => openTelemetry.metrics.disable());

describe("createTelemetry", () => {
  test("accepts the module @opentelemetry/api and does nothing without an SDK", () => {
    expect(() => createTelemetry(openTelemetry).record(rejected)).not.toThrow();
    expect(() => createTelemetry({}).record(rejected)).not.toThrow();
  });

  test("counts calls by outcome and errors by code", () => {
    const measured = registerMeter();
    const telemetry = createTelemetry(openTelemetry);
    telemetry.record({ ...rejected, outcome: "admitted", codes: [] });
    telemetry.record(rejected);
    const tool = { "gen_ai.tool.name": "read_file" };
    expect(measured).toEqual([
      ["toolcontract.calls", { ...tool, outcome: "admitted" }],
      ["toolcontract.calls", { ...tool, outcome: "rejected" }],
      ["toolcontract.errors", { ...tool, code: "VAL-001" }],
      ["toolcontract.errors", { ...tool, code: "VAL-008" }],
    ]);
  });

  test("bounds the number of tool labels", () => {
    const measured = registerMeter();
    const telemetry = createTelemetry(openTelemetry);
    for (let tool = 0; tool < 1_500; tool++) {
      telemetry.record({ ...rejected, toolName: `tool_${tool}`, codes: [] });
    }
    const labels = new Set(measured.map(([, attributes]) => attributes["gen_ai.tool.name"]));
    expect(labels.size).toBe(1_001);
    expect(labels).toContain("(other)");
  });

  test("marks calls that did not run on the active span, in the GenAI conventions", () => {
    const events: (readonly [string, Attributes])[] = [];
    const telemetry = createTelemetry({
      trace: {
        getActiveSpan: () => ({ addEvent: (name, attributes) => events.push([name, attributes]) }),
      },
    });
    telemetry.record({ ...rejected, outcome: "admitted", codes: [] });
    telemetry.record(rejected);
    telemetry.record({ ...rejected, outcome: "blocked", codes: [] });
    const shared = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read_file",
      "gen_ai.tool.call.id": "call_abc123",
    };
    expect(events).toEqual([
      ["execute_tool", { ...shared, "error.type": "VAL-001", outcome: "rejected" }],
      ["execute_tool", { ...shared, "error.type": "blocked", outcome: "blocked" }],
    ]);
  });
});

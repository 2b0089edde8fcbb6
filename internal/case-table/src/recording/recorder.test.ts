import type { Recording } from "@toolcontract/telemetry";
import { expect, test } from "vitest";
import { currentRecorder, type Line, startRecorder, watched, watchedOptions } from "./recorder.ts";

type Listener = (payload: object) => unknown;

/** A contract that can emit what it is told to. */
function contractThatEmits() {
  const listeners = new Map<string, Listener>();
  return {
    on(event: string, listener: Listener) {
      if (event === "attempt") throw new Error("unknown event");
      listeners.set(event, listener);
    },
    metrics: () => ({ calls: 2 }),
    emit: (event: string, toolCallId: string) => listeners.get(event)?.({ toolCallId }),
  };
}

/** Records two calls at once, of which one or the other ends first. */
async function record(first: string, second: string): Promise<readonly Line[]> {
  const recorder = await startRecorder();
  const contract = watched(contractThatEmits());
  const telemetry = recorder.telemetry as Recording["api"];
  const counter = telemetry.metrics.getMeter("test").createCounter("calls");
  await recorder.inTurn(async () => {
    for (const id of ["c1", "c2"]) contract.emit("call-admitted", id);
    for (const id of [first, second]) {
      contract.emit("call-executed", id);
      counter.add(1, { id });
      recorder.add("entry", { type: "tool", id });
    }
    telemetry.trace.getTracer("test").startSpan("refused", { attributes: { id: "c1" } });
  });
  recorder.add("text", { content: "done", failure: new Error("disk full") });
  return recorder.end();
}

test("records a case by kind, whichever of its calls ends first", async () => {
  const lines = await record("c1", "c2");
  const span = { kind: 0, events: [], status: { code: 0 } };
  expect(lines.map(({ kind, turn, detail }) => [kind, turn, detail])).toEqual([
    ["text", 1, { content: "done", failure: { name: "Error", message: "disk full" } }],
    ["event", 1, { name: "call-admitted", toolCallId: "c1" }],
    ["event", 1, { name: "call-executed", toolCallId: "c1" }],
    ["event", 1, { name: "call-admitted", toolCallId: "c2" }],
    ["event", 1, { name: "call-executed", toolCallId: "c2" }],
    ["entry", 1, { type: "tool", id: "c1" }],
    ["entry", 1, { type: "tool", id: "c2" }],
    ["span", 0, { ...span, name: "turn 1", attributes: {}, ended: true }],
    [
      "span",
      0,
      { ...span, name: "refused", parent: "turn 1", attributes: { id: "c1" }, ended: false },
    ],
    ["counter", 0, { name: "calls", attributes: { id: "c1" }, value: 1 }],
    ["counter", 0, { name: "calls", attributes: { id: "c2" }, value: 1 }],
    ["counter", 0, { name: "metrics()", calls: 2 }],
  ]);
  expect(await record("c2", "c1")).toEqual(lines);
});

test("options are a contract's only while something is recorded", async () => {
  const options = { maxAttempts: 2 };
  expect(watchedOptions(options, contractThatEmits)).toBe(options);
  const recorder = await startRecorder();
  expect(currentRecorder()).toBe(recorder);
  expect(watchedOptions(options, contractThatEmits)).toHaveProperty("contract");
  await recorder.end();
  expect(currentRecorder()).toBeUndefined();
});

import { createContract, parseRejection } from "@toolcontract/core";
import type { UIMessageChunk } from "ai";
import { expect, test, vi } from "vitest";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import { bad, good, quiet, SECRET, travel } from "./testing/travel.ts";

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test("a repaired call that is still invalid is answered by the contract, not by the SDK", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1")] }]);
    const repairToolCall = vi.fn(async ({ toolCall }) => ({
      ...toolCall,
      input: `{"from":"${SECRET}","age":34}`,
    }));
    const settings = withContract({ ...quiet, tools, repairToolCall, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(repairToolCall).toHaveBeenCalledTimes(1);
    expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
      { errorCode: "VAL-002", fieldPath: "/age" },
    ]);
    expect(textOf(messages, "call_1")).not.toContain(SECRET);
  });

  test("the user's own repair function, step preparation and stop conditions are composed", async () => {
    const { tools, ran } = travel(sdk);
    const own = {
      repairToolCall: vi.fn(async ({ toolCall }) => ({
        ...toolCall,
        input: '{"from":"LIS","age":34}',
      })),
      prepareStep: vi.fn(() => ({ activeTools: ["book"] })),
      stopWhen: [vi.fn(() => false), vi.fn(steps(2))],
    };
    const model = sdk.script([{ calls: [bad("call_1")] }, { calls: [good("call_2")] }]);
    const settings = withContract({ ...quiet, tools, ...own });
    const result = await sdk.run(mode, { model, settings });
    expect(ran).toEqual([
      { from: "LIS", age: 34 },
      { from: "LIS", age: 34 },
    ]);
    expect(result.steps).toHaveLength(2);
    expect(model.requests.map((request) => request.tools?.map(({ name }) => name))).toEqual([
      ["book"],
      ["book"],
    ]);
    expect(own.prepareStep).toHaveBeenCalledTimes(2);
    for (const condition of own.stopWhen) expect(condition).toHaveBeenCalledTimes(2);
  });

  test("a repair function that throws counts as no repair", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1")] }]);
    const repairToolCall = async (): Promise<never> => {
      throw new RangeError(`could not repair ${SECRET}`);
    };
    const logger = vi.fn();
    const settings = withContract({ logger, tools, repairToolCall, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))).toMatchObject({ attempt: 1 });
    const fault = { level: "warn", stage: "repairToolCall", error_class: "RangeError" };
    expect(logger.mock.calls.filter(([fields]) => "stage" in fields)).toEqual([
      [{ ...fault, tool_name: "book", correlation_id: "ai-sdk" }, "Tool contract degraded"],
    ]);
    expect(JSON.stringify(logger.mock.calls)).not.toContain(SECRET);
  });

  test("a contract that fails answers without quoting what it threw, even if the logger fails too", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1")] }]);
    const fail = async (): Promise<never> => {
      throw new Error(`no store for ${SECRET}`);
    };
    const logger = vi.fn(() => {
      throw new Error("disk full");
    });
    const contract = { ...createContract({ logger }), admit: fail };
    const settings = withContract({ contract, tools, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_1")).toBe(
      "This call could not be checked and did not run. Call the tool again.",
    );
    expect(logger).toHaveBeenCalled();
    expect(JSON.stringify(logger.mock.calls)).not.toContain(SECRET);
  });
});

const NO_SIGNAL = "the SDK hands a repair function no signal before version 7, and waits for it";
const NO_STREAM = "nothing is out before the step ends";

describeModes(
  (sdk, mode) => {
    test("a run cancelled during a repair ends at once with the reason and counts nothing", async () => {
      vi.spyOn(console, "error").mockImplementation(() => undefined);
      const { tools } = travel(sdk);
      const controller = new AbortController();
      const reason = new Error("the user left");
      const contract = createContract(quiet);
      const repairToolCall = async (): Promise<null> => {
        controller.abort(reason);
        return new Promise(() => undefined);
      };
      const settings = sdk.adapter.withContract({
        contract,
        tools,
        repairToolCall,
        stopWhen: steps(2),
      });
      const model = sdk.script([{ calls: [bad("call_1")] }]);
      const { signal: abortSignal } = controller;
      await expect(sdk.run(mode, { model, settings, abortSignal })).rejects.toBe(reason);
      expect(contract.metrics().calls).toBe(0);
    });
  },
  { 6: NO_SIGNAL, 5: NO_SIGNAL },
);

describeModes((sdk, mode) => {
  test.each([
    ["ends", async () => null],
    [
      "fails",
      async () => {
        throw new Error("the user left");
      },
    ],
  ])(
    "where a repair %s after the run was cancelled, the model is asked no more",
    async (_, end) => {
      vi.spyOn(console, "error").mockImplementation(() => undefined);
      const { tools } = travel(sdk);
      const controller = new AbortController();
      const logger = vi.fn();
      const contract = createContract({ logger });
      const repairToolCall = async (): Promise<null> => {
        controller.abort(new Error("the user left"));
        return end();
      };
      const settings = sdk.adapter.withContract({
        contract,
        tools,
        repairToolCall,
        stopWhen: steps(2),
      });
      const model = sdk.script([{ calls: [bad("call_1")] }, { text: "never" }]);
      const { signal: abortSignal } = controller;
      await expect(sdk.run(mode, { model, settings, abortSignal })).rejects.toThrow();
      expect(model.requests).toHaveLength(1);
      // Before version 7 the contract cannot see it, and answers a call that nobody awaits.
      if (sdk.version < 7) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(contract.metrics().calls).toBe(0);
      expect(logger).not.toHaveBeenCalled();
    },
  );
});

describeModes(
  (sdk, mode) => {
    test("text before a slow repair is streamed at once; the valid call after it waits and runs", async () => {
      const { tools, ran } = travel(sdk);
      const seen: string[] = [];
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      const repairToolCall = async (): Promise<null> => {
        await gate;
        return null;
      };
      const settings = sdk.adapter.withContract({
        ...quiet,
        tools,
        repairToolCall,
        stopWhen: steps(1),
      });
      const model = sdk.script([{ text: "One moment", calls: [bad("call_1"), good("call_2")] }]);
      const onChunk = (chunk: UIMessageChunk): void => {
        seen.push("toolCallId" in chunk ? `${chunk.type} ${chunk.toolCallId}` : chunk.type);
      };
      const run = sdk.run(mode, { model, settings, onChunk });
      await expect.poll(() => seen).toContain("text-end");
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect([seen.at(-1), ran]).toEqual(["text-end", []]);
      open();
      const { messages } = await run;
      expect(parseRejection(textOf(messages, "call_1"))).toMatchObject({ attempt: 1 });
      expect(textOf(messages, "call_2")).toBe("booked");
      expect(seen).toContain("tool-input-error call_1");
      expect(seen).toContain("tool-output-available call_2");
    });
  },
  { generateText: NO_STREAM, agent: NO_STREAM },
);

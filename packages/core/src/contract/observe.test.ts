import { describe, expect, test, vi } from "vitest";
import { ADD_ITEM, callOf, refusal, staged } from "../testing/staged.ts";
import { createContract } from "./create-contract.ts";

const OBSERVE = { mode: "observe" } as const;

describe("a contract that only observes", () => {
  test.each([
    ["arguments that the schema refuses", { qty: "many" }, "VAL-002"],
    ["a missing field", {}, "VAL-001"],
  ])(
    "runs a call with %s as it was sent, and says what would have been refused",
    async (_, args, code) => {
      const { add, ran, lines, events, contract } = staged(undefined, OBSERVE);
      const answer = await add(args);
      expect(answer).toMatchObject({
        status: "executed",
        result: { content: "added", isError: false },
      });
      expect(ran).toEqual([args]);
      expect(lines).toMatchObject([
        { fields: { mode: "observe" }, message: expect.stringContaining("nothing is refused") },
        {
          fields: { mode: "observe", retry_attempt: 1, errors: [{ code }] },
          message: "Tool validation would have failed",
        },
      ]);
      expect(events).toMatchObject([
        { name: "call-rejected", event: { observed: true, attempt: 1 } },
        { name: "call-executed", event: { outcome: "returned" } },
      ]);
      expect(contract.metrics()).toMatchObject({
        calls: 1,
        rejected: 1,
        admitted: 0,
        failureRate: 1,
      });
    },
  );

  test("counts attempts, also for a host that counts in its history, and escalates for the operator alone", async () => {
    const onEscalation = vi.fn();
    const { add, events } = staged(undefined, { ...OBSERVE, onEscalation, maxAttempts: 2 });
    const attempts = { failed: 0, blocked: false, history: [] };
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await add({}, { attempts: attempts as never })).toMatchObject({ status: "executed" });
    }
    expect(onEscalation).toHaveBeenCalledTimes(1);
    expect(events.filter(({ name }) => name === "call-escalated")).toMatchObject([
      { event: { observed: true } },
    ]);
    expect((await add({ qty: 1 })).status).toBe("executed");
  });

  test("an admission says what would have been answered", async () => {
    const { contract } = staged(undefined, OBSERVE);
    const admission = await contract.admit(callOf({}), { conversationId: "c", tool: ADD_ITEM });
    if (admission.status !== "admitted") throw new Error(admission.status);
    expect(admission.observed).toMatchObject({
      status: "rejected",
      errors: [{ errorCode: "VAL-001" }],
    });
    expect(admission.note()).toBe("");
    expect(await admission.run((args) => args)).toEqual({});
  });

  test.each([
    ["cut text", '{"qty": 1', "The tool failed: its arguments are not valid JSON", ADD_ITEM.name],
    ["no JSON", "qty=1", "The tool failed: its arguments are not valid JSON", ADD_ITEM.name],
    ["an unknown tool", "{}", "The tool failed: there is no such tool", "add_itm"],
  ])(
    "answers %s in a line that is not the contract's, and runs nothing",
    async (_, args, content, name) => {
      const { contract } = staged(undefined, OBSERVE);
      const execute = vi.fn();
      const call = { id: "1", name, arguments: args };
      const context = { conversationId: "c", tools: [ADD_ITEM], execute };
      const [turn] = await contract.handleTurn([call], context);
      for (const answer of [await contract.handle(call, context), turn]) {
        expect(answer).toMatchObject({ status: "executed", result: { content, isError: true } });
      }
      expect(execute).not.toHaveBeenCalled();
      expect(contract.metrics()).toMatchObject({ calls: 2, rejected: 2 });
    },
  );

  test("runs complete arguments although the output was cut", async () => {
    const { add, ran, contract } = staged(undefined, OBSERVE);
    await add({ qty: 1 }, { finishReason: "length" });
    expect(ran).toEqual([{ qty: 1 }]);
    expect(contract.metrics().rejected).toBeLessThanOrEqual(1);
  });

  test("runs the calls that are too many in their turn", async () => {
    const { contract, lines } = staged(undefined, { ...OBSERVE, maxCallsPerTurn: 1 });
    const execute = vi.fn(() => "added");
    const calls = [callOf({ qty: 1 }), callOf({ qty: 2 })];
    await contract.handleTurn(calls, { conversationId: "c", tools: [ADD_ITEM], execute });
    expect(execute).toHaveBeenCalledTimes(2);
    expect(lines.map(({ message }) => message)).toContain("Tool call would have been skipped");
  });

  test("a rule that refuses does not: the tool gets what its validator made", async () => {
    const rule = () => [{ message: "not today" }];
    const { add, ran } = staged(undefined, { ...OBSERVE, rules: { add_item: [rule] } });
    expect(await add({ qty: 1 })).toMatchObject({ result: { content: "added" } });
    expect(ran).toEqual([{ qty: 1 }]);
  });

  const ASK = { action: "ask", request: { tool: "add_item" } } as never;

  test.each([
    ["check", { check: () => refusal() }, "Tool guardrail would have failed"],
    [
      "check, and stops",
      { check: () => refusal({ action: "stop" }) },
      "Tool guardrail would have been blocked",
    ],
    [
      "check, and asks",
      { check: () => refusal(ASK) },
      "A person would have been asked about a tool call",
    ],
    ["around, before the run", { around: () => refusal() }, "Tool guardrail would have failed"],
    [
      "around, after the run",
      {
        around: async ({ run }: { run: () => unknown }) => (
          await run(),
          refusal({ lane: "outcome" })
        ),
      },
      "Tool outcome would have failed",
    ],
  ])("a stage that refuses in %s is reported and not obeyed", async (_, stage, message) => {
    const { add, ran, lines } = staged(stage, OBSERVE);
    expect(await add({ qty: 1 })).toMatchObject({
      status: "executed",
      result: { content: "added" },
    });
    expect(await add({ qty: 2 })).toMatchObject({
      status: "executed",
      result: { content: "added" },
    });
    expect(ran).toEqual([{ qty: 1 }, { qty: 2 }]);
    const said = lines.map((line) => line.message).slice(1);
    expect(said).toHaveLength(2);
    expect(said[0]).toBe(message);
  });

  test("what the tool throws is the host's", async () => {
    const thrown = new Error("no stock");
    const around = async ({ run }: { run: () => unknown }) => {
      await Promise.resolve(run()).catch(() => undefined);
      return refusal({ lane: "outcome" });
    };
    const { add } = staged({ around }, OBSERVE);
    const execute = async () => Promise.reject(thrown);
    await expect(add({ qty: 1 }, { execute })).rejects.toBe(thrown);
  });

  test("spans and counters say that nothing failed", async () => {
    const counted: object[] = [];
    const spans: object[] = [];
    const setStatus = vi.fn();
    const createCounter = () => ({
      add: (_: number, attributes: object) => void counted.push(attributes),
    });
    const startSpan = (_: string, { attributes }: { attributes: object }) => {
      spans.push(attributes);
      return { setStatus, end: () => undefined };
    };
    const telemetry = {
      metrics: {
        getMeter: () => ({ createCounter, createHistogram: () => ({ record: () => undefined }) }),
      },
      trace: { getTracer: () => ({ startSpan }), getActiveSpan: () => undefined },
    };
    const { add } = staged(undefined, { ...OBSERVE, telemetry: telemetry });
    await add({});
    expect(spans).toMatchObject([
      {
        "toolcontract.mode": "observe",
        "toolcontract.outcome": "rejected",
        "toolcontract.error.codes": ["VAL-001"],
      },
    ]);
    expect(spans[0]).not.toHaveProperty("error.type");
    expect(setStatus).not.toHaveBeenCalled();
    expect(counted).toMatchObject([
      { "toolcontract.mode": "observe" },
      { "toolcontract.mode": "observe" },
    ]);
  });

  test("another mode throws", () => {
    expect(() => createContract({ mode: "audit" as never })).toThrow(
      /mode.*"enforce", "observe"|mode/,
    );
  });
});

import { describe, expect, test, vi } from "vitest";
import { ADD_ITEM, callOf, outcomeOf, refusal, staged } from "../testing/staged.ts";
import type { ContractEventMap } from "../observe/index.ts";
import type { RuleContext, StageAnswer, StageContext, StagedCall } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { type ContractOptions, createContract, mayBeCalled } from "../contract/index.ts";
import { refusedWith } from "./decision.ts";

const SECRET = "hunter2-hunter2";
const HERE = { conversationId: "c", turnId: "1", tool: ADD_ITEM };
const pass = async ({ run }: StagedCall): Promise<StageAnswer> => ({
  action: "return",
  value: await run(),
});

/** A clock that advances by five milliseconds each time it is read. */
function ticking(): () => number {
  let now = 0;
  return () => {
    now += 5;
    return now;
  };
}

function eventsOf({ events }: ReturnType<typeof staged>, name: keyof ContractEventMap): unknown[] {
  return events.filter((one) => one.name === name).map(({ event }) => event);
}

describe("call-executed", () => {
  const args = { qty: 1, sku: SECRET };
  const base = {
    toolName: "add_item",
    toolCallId: "call_1",
    conversationId: "c",
    correlationId: "c",
    attempt: 1,
    durationMs: 5,
    charactersIn: JSON.stringify(args).length,
  };

  test.each<[string, StagedCall["run"], object]>([
    ["a string", () => SECRET, { outcome: "returned", charactersOut: SECRET.length }],
    ["a value", async () => ({ [SECRET]: 1 }), { outcome: "returned", charactersOut: 21 }],
    ["nothing", () => undefined, { outcome: "returned", charactersOut: 0 }],
    [
      "an error result",
      () => ({ content: [{ type: "text", text: SECRET }], isError: true }),
      { outcome: "failed", charactersOut: SECRET.length },
    ],
    [
      "an error that it throws",
      () => {
        throw new Error(SECRET);
      },
      { outcome: "threw", charactersOut: 0 },
    ],
    [
      "an error that it rejects with",
      async () => Promise.reject(new Error(SECRET)),
      { outcome: "threw", charactersOut: 0 },
    ],
  ])("the tool answers %s, with and without a stage", async (_, execute, expected) => {
    for (const stage of [undefined, { around: pass }, { check: () => undefined }]) {
      const shop = staged(stage, { clock: ticking() });
      // The store in memory reads the clock too, so its reads are not between the two of the run.
      const answer = shop.add(args, { id: "call_1", execute });
      await answer.then(undefined, () => undefined);
      const [event, ...others] = eventsOf(shop, "call-executed") as [{ durationMs: number }];
      expect(others).toEqual([]);
      expect(event).toEqual({ ...base, ...expected, durationMs: event.durationMs });
      expect(event.durationMs % 5).toBe(0);
      expect(event.durationMs).toBeGreaterThan(0);
      expect(JSON.stringify(shop.events)).not.toContain(SECRET);
    }
  });

  test.each<["retry" | "stop", "rejected" | "blocked"]>([
    ["retry", "rejected"],
    ["stop", "blocked"],
  ])("a stage that answers %s around the run: %s, with its lane", async (action, outcome) => {
    const around = async ({ run }: StagedCall): Promise<StageAnswer> => {
      await run();
      return refusal({ action, lane: "outcome" });
    };
    const shop = staged({ around });
    const answer = await shop.add(args, { id: "call_1" });
    expect(eventsOf(shop, "call-executed")).toEqual([
      {
        ...base,
        outcome,
        lane: "outcome",
        charactersOut: answer.result.content.length,
        durationMs: expect.any(Number),
      },
    ]);
  });

  test("the duration is the clock's, and nobody's if no one listens", async () => {
    let now = 1_000;
    const clock = vi.fn(() => now);
    const contract = createContract({ clock, logger: () => undefined });
    const execute = (): string => {
      now += 250;
      return "added";
    };
    await contract.handle(callOf(args), { ...HERE, execute });
    const unwatched = clock.mock.calls.length;
    const durations: number[] = [];
    contract.on("call-executed", ({ durationMs }) => durations.push(durationMs));
    await contract.handle(callOf(args), { ...HERE, execute });
    expect(durations).toEqual([250]);
    expect(clock.mock.calls.length - unwatched).toBe(unwatched + 2);
  });

  test("of a later attempt: its number", async () => {
    const shop = staged(undefined);
    await shop.add({});
    await shop.add({});
    await shop.add({ qty: 1 });
    expect(eventsOf(shop, "call-executed")).toMatchObject([{ attempt: 3 }]);
  });

  test("arguments that the host parsed: the length of their text, else of their JSON", async () => {
    const sizes: number[] = [];
    const contract = createContract({ logger: () => undefined });
    contract.on("call-executed", ({ charactersIn }) => sizes.push(charactersIn));
    const call = { ...callOf({}), arguments: { qty: 1 } };
    await contract.handle(call, { ...HERE, execute: () => "" });
    await contract.handle({ ...call, rawText: '{ "qty": 1 }' }, { ...HERE, execute: () => "" });
    expect(sizes).toEqual([9, 12]);
  });

  test("a call that never ran has none", async () => {
    const shop = staged({ check: () => refusal() });
    await shop.add({});
    await shop.add({ qty: 1 });
    expect(eventsOf(shop, "call-executed")).toEqual([]);
  });
});

describe("call-recovered", () => {
  test("once a turn and lane, with the attempt that succeeded, a log line and a count", async () => {
    let refuses = true;
    const shop = staged({ around: async (call) => (refuses ? refusal() : pass(call)) });
    await shop.add({}, { turnId: "1" });
    await shop.add({ qty: 1 }, { turnId: "2" });
    await shop.add({ qty: 1 }, { turnId: "3" });
    refuses = false;
    for (const id of ["call_1", "call_2"]) await shop.add({ qty: 1 }, { turnId: "4", id });
    const event = { toolName: "add_item", conversationId: "c", correlationId: "c" };
    expect(eventsOf(shop, "call-recovered")).toEqual([
      { ...event, toolCallId: expect.any(String), lane: "validation", attempt: 2 },
      { ...event, toolCallId: "call_1", lane: "guardrail", attempt: 3 },
    ]);
    const fields = { level: "info", tool_name: "add_item", correlation_id: "c" };
    const lines = shop.lines.filter(({ message }) => message === "Tool call recovered");
    expect(lines).toEqual([
      { message: "Tool call recovered", fields: { ...fields, retry_attempt: 2 } },
      {
        message: "Tool call recovered",
        fields: { ...fields, retry_attempt: 3, lane: "guardrail" },
      },
    ]);
    expect(shop.contract.metrics()).toMatchObject({
      recovered: 2,
      byTool: { add_item: { recovered: 2 } },
    });
  });

  test("a first attempt recovers nothing, nor does one after a success", async () => {
    const shop = staged(undefined);
    await shop.add({ qty: 1 });
    await shop.add({});
    await shop.add({ qty: 1 });
    await shop.add({ qty: 1 });
    expect(eventsOf(shop, "call-recovered")).toMatchObject([{ attempt: 2 }]);
  });

  test("counted by the host: the attempt after its own", async () => {
    const shop = staged({ check: () => undefined });
    const none = { history: [], complete: true, blocked: false };
    const attempts = { ...none, failed: 1, lanes: { guardrail: { ...none, failed: 2 } } };
    const answer = await shop.add({ qty: 1 }, { attempts });
    expect(answer).toMatchObject({ status: "executed", attempt: 2 });
    expect(eventsOf(shop, "call-recovered")).toMatchObject([
      { lane: "validation", attempt: 2 },
      { lane: "guardrail", attempt: 3 },
    ]);
  });
});

describe("a package's own events", () => {
  test("that its stage does not name are unknown, and the message lists those that it does", () => {
    const { contract } = staged({ check: () => undefined, events: ["budget-spent"] });
    expect(() => contract.on("budget-spend" as never, () => undefined)).toThrow(
      "contract.on: unknown event. The events are call-admitted, call-repaired, call-executed, call-recovered, call-rejected, call-escalated, contract-degraded, budget-spent.",
    );
    expect(() => createContract().on("budget-spent" as never, () => undefined)).toThrow(
      "contract.on: unknown event.",
    );
  });
});

describe("what rules and stages know", () => {
  const context = {
    conversationId: "c",
    runId: "r",
    turnId: "t",
    tools: [ADD_ITEM],
    execute: () => "added",
  };
  const known = {
    tool: "add_item",
    callId: "call_9",
    conversationId: "c",
    runId: "r",
    turnId: "t",
  };

  test("a rule alone, without a stage, knows the call as well", async () => {
    const rule = vi.fn(() => []);
    const { contract } = staged(undefined, { rules: { add_item: [rule] } });
    await contract.handle(callOf({}, "call_8"), { ...context, turnId: "s" });
    await contract.handle(callOf({ qty: 1 }, "call_9"), context);
    expect(rule.mock.calls).toEqual([[{ qty: 1 }, { ...known, attempt: 2, lane: "validation" }]]);
  });

  test("call, conversation, run, turn, attempt, lane and signal", async () => {
    const { signal } = new AbortController();
    const rules: RuleContext[] = [];
    const checks: StageContext[] = [];
    const arounds: StagedCall[] = [];
    const { contract } = staged(
      {
        check: (_, given) => void checks.push(given),
        around: async (call) => (arounds.push(call), pass(call)),
      },
      { rules: { add_item: [(_, given) => void rules.push(given)] } },
    );
    const call = callOf({ qty: 1 }, "call_9");
    await contract.handle(callOf({}), { ...context, turnId: "before" });
    await contract.handle(call, { ...context, signal });
    expect(rules).toEqual([{ ...known, attempt: 2, lane: "validation", signal }]);
    const attempts = { guardrail: 1, outcome: 1 };
    const reports = expect.any(Object);
    const definition = ADD_ITEM;
    expect(checks).toEqual([{ ...known, call, definition, attempt: 2, attempts, signal, reports }]);
    expect(arounds).toEqual([
      {
        ...known,
        call,
        definition,
        args: { qty: 1 },
        attempt: 2,
        attempts,
        signal,
        reports,
        runsOnce: false,
        run: expect.any(Function),
      },
    ]);
  });

  test("the attempts of a stage's lanes, counted by the contract or by the host", async () => {
    const seen: unknown[] = [];
    const { contract, add } = staged({
      check: (_, { attempts }) => {
        seen.push(attempts);
        return refusal();
      },
    });
    await add({ qty: 1 });
    await add({ qty: 1 });
    const none = { history: [], complete: true, blocked: false };
    const attempts = { ...none, failed: 0, lanes: { outcome: { ...none, failed: 1 } } };
    await contract.handle(callOf({ qty: 1 }), { ...context, attempts });
    expect(seen).toEqual([
      { guardrail: 1, outcome: 1 },
      { guardrail: 2, outcome: 1 },
      { guardrail: 1, outcome: 2 },
    ]);
  });

  test("check() alone knows the tool and the signal", () => {
    const rules: RuleContext[] = [];
    const checks: StageContext[] = [];
    const { contract } = staged(
      { check: (_, given) => void checks.push(given) },
      { rules: { add_item: [(_, given) => void rules.push(given)] } },
    );
    const { signal } = new AbortController();
    contract.check(ADD_ITEM, { qty: 1 }, { signal });
    expect(rules).toEqual([{ tool: "add_item", lane: "validation", signal }]);
    const definition = ADD_ITEM;
    expect(checks).toEqual([{ tool: "add_item", definition, signal, reports: expect.any(Object) }]);
  });

  test("whether the tool runs here, if the host says so; a rule does not hear of it", async () => {
    const seen: unknown[] = [];
    const rules: RuleContext[] = [];
    const { contract, add } = staged(
      {
        check: (_, { runsHere }) => void seen.push(runsHere),
        around: async (call) => (seen.push(call.runsHere), pass(call)),
      },
      { rules: { add_item: [(_, given) => void rules.push(given)] } },
    );
    contract.check(ADD_ITEM, { qty: 1 });
    contract.check(ADD_ITEM, { qty: 1 }, { runsHere: false });
    await add({ qty: 1 }, { runsHere: true });
    expect(seen).toEqual([undefined, false, true, true]);
    expect(rules.filter((given) => "runsHere" in given)).toEqual([]);
  });

  test("whether the run is known, if the host says so; if it is not, the log says so once", async () => {
    const seen: unknown[] = [];
    const rules: RuleContext[] = [];
    const { add, events, lines } = staged(
      {
        check: (_, { knowsRun }) => void seen.push(knowsRun),
        around: async (call) => (seen.push(call.knowsRun), pass(call)),
      },
      { rules: { add_item: [(_, given) => void rules.push(given)] } },
    );
    for (const given of [{}, { knowsRun: true }, { knowsRun: false }, { knowsRun: false }]) {
      await add({ qty: 1 }, given);
    }
    expect(seen).toEqual([undefined, undefined, true, true, false, false, false, false]);
    expect(rules.filter((given) => "knowsRun" in given)).toEqual([]);
    expect(events.filter(({ name }) => name === "contract-degraded")).toEqual([
      { name: "contract-degraded", event: { stage: "run", errorClass: "UnknownRun" } },
    ]);
    expect(lines).toEqual([
      {
        message: "Tool contract degraded",
        fields: { level: "warn", stage: "run", error_class: "UnknownRun" },
      },
    ]);
  });

  test("a stage whose check is asynchronous needs checkAsync()", async () => {
    const { contract } = staged({ check: async () => refusal({ outcomeOf }) });
    expect(() => contract.check(ADD_ITEM, { qty: 1 })).toThrow("use contract.checkAsync()");
    expect(await contract.checkAsync(ADD_ITEM, { qty: 1 })).toMatchObject({
      status: "invalid",
      lane: "guardrail",
    });
  });
});

describe("the table of tools", () => {
  test("is shown to the stage once for each table, before anything is checked", async () => {
    const checkTools = vi.fn();
    const { contract } = staged({ check: () => undefined, checkTools });
    const tools = [ADD_ITEM, { name: "drop_item", inputSchema: {} }];
    const context = { conversationId: "c", execute: () => "added" };
    for (let call = 0; call < 3; call += 1) {
      await contract.handle(callOf({ qty: 1 }), { ...context, tools });
    }
    await contract.handle(callOf({ qty: 1 }), { ...context, tool: ADD_ITEM });
    await contract.handle(callOf({ qty: 1 }), { ...context, tools: { add_item: ADD_ITEM } });
    expect(checkTools.mock.calls).toEqual([[["add_item", "drop_item"]], [["add_item"]]]);
    contract.settings.checkTools(["other"]);
    expect(checkTools).toHaveBeenLastCalledWith(["other"]);
  });

  test("what may be called is shown to the stage: each table once, each called tool every time", async () => {
    const checkCallable = vi.fn();
    const { contract } = staged({ check: () => undefined, checkCallable });
    const tools = [ADD_ITEM, { name: "drop_item", inputSchema: {} }];
    const context = { conversationId: "c", execute: () => "added" };
    const call = callOf({ qty: 1 });
    for (let turn = 0; turn < 2; turn += 1) await contract.handle(call, { ...context, tools });
    await contract.handle(call, { ...context, tool: ADD_ITEM });
    expect(checkCallable.mock.calls).toEqual([
      [["add_item", "drop_item"]],
      [["add_item"]],
      [["add_item"]],
      [["add_item"]],
    ]);
    contract.settings.checkTools(["other"], false);
    expect(checkCallable).toHaveBeenLastCalledWith(["other"]);
  });

  test("a call that cannot run anyway is not shown to the stage", async () => {
    const refuse = (): never => {
      throw new ToolContractError("not this one");
    };
    const { contract } = staged({ around: pass, checkTools: refuse, checkCallable: refuse });
    const call = { ...callOf({ qty: 1 }), name: "add_itme" };
    const context = { conversationId: "c", execute: () => "added" };
    const unknown = await contract.handle(call, { ...context, tools: [ADD_ITEM] });
    expect(unknown.result.content).toContain("(VAL-012)");
    const checked = refusedWith({ errorCode: "VAL-004", message: "no" });
    for (const name of ["add_itme", "(unknown)"]) {
      const answer = await contract.handle(call, { ...context, tool: { name }, checked });
      expect(answer.status).toBe("rejected");
    }
    const known = contract.handle(callOf({ qty: 1 }), { ...context, tool: ADD_ITEM });
    await expect(known).rejects.toThrow("not this one");
  });

  test("mayBeCalled() says whether a stage can guard a tool, whatever others the host has", () => {
    const { contract } = staged({
      around: pass,
      checkTools: () => expect.unreachable(),
      checkCallable([name]) {
        if (name !== "add_item") throw new ToolContractError("not this one");
      },
    });
    expect(mayBeCalled("add_item", contract)).toBe(true);
    expect(mayBeCalled("drop_item", contract)).toBe(false);
    expect(mayBeCalled("drop_item", createContract())).toBe(true);
  });

  test.each<[Parameters<typeof staged>[0], ContractOptions, boolean]>([
    [undefined, {}, false],
    [undefined, { maxCallsPerTurn: 5 }, true],
    [undefined, { repeatedCalls: "once" }, true],
    [undefined, { repeatedCalls: "run" }, false],
    [{ check: () => undefined }, {}, true],
  ])("settings.runsTools with %o and %o is %s", (stage, options, runsTools) => {
    expect(staged(stage, options).contract.settings.runsTools).toBe(runsTools);
  });
});

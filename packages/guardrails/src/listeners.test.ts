import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type Guardrails, Outcome, createGuardrails } from "./index.ts";

const SOLD_OUT = {
  name: "sold_out",
  check: ({ args }: { args: number }) => args > 3 && "at most 3",
};

function shop(): Guardrails {
  return createGuardrails({
    guardrails: [SOLD_OUT],
    effects: { buy: "none" },
    budgets: { guardrail: 0 },
    clock: () => 0,
  });
}

/** Collects what a listener hears, in words. */
function heardBy(who: Pick<Guardrails, "on">): string[] {
  const heard: string[] = [];
  who.on("attempt", ({ call_id: id, attempt_stage: stage }) => heard.push(`${id} ${stage}`));
  who.on("tool-pressure", ({ tool, pressure }) => heard.push(`${tool} ${pressure}`));
  return heard;
}

async function run(guardrails: Guardrails, callId: string, qty = 1): Promise<void> {
  await guardrails.run({ tool: "buy", callId, generate: () => qty, execute: () => "bought" });
}

async function handle(contract: ReturnType<typeof createContract>, id: string): Promise<void> {
  const tool = { name: "buy", inputSchema: {}, execute: () => "bought" };
  const call = { id, name: "buy", arguments: {} };
  await contract.handle(call, { tool, conversationId: "thread-7", turnId: id });
}

const all = (...ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) => ["generated", "validated", "executed"].map((stage) => `${id} ${stage}`));

describe("who hears of what", () => {
  test.each([
    ["a run without a contract: the guardrails' own listeners", 0, [[]]],
    ["beside one contract: its listeners, too", 1, [all("run")]],
    ["beside several: none of theirs, as it belongs to none", 2, [[], []]],
  ])("%s", async (_, contracts, theirs) => {
    const guardrails = shop();
    const own = heardBy(guardrails);
    const others = Array.from({ length: contracts }, () => createContract({ guardrails })).map(
      heardBy,
    );
    await run(guardrails, "run");
    expect(own).toEqual(all("run"));
    expect(others).toEqual(theirs.slice(0, contracts));
  });

  test("a call of a contract: its listeners and the guardrails' own, and no other contract's", async () => {
    const guardrails = shop();
    const contracts = [createContract({ guardrails }), createContract({ guardrails })] as const;
    const [own, first, second] = [guardrails, ...contracts].map((who) => heardBy(who));
    await handle(contracts[0], "a");
    await handle(contracts[1], "b");
    expect([own, first, second]).toEqual([all("a", "b"), all("a"), all("b")]);
  });
});

test("a tool that fails too often is heard of without a contract", async () => {
  const guardrails = shop();
  const own = heardBy(guardrails);
  for (const id of ["1", "2", "3"]) await run(guardrails, id, 9);
  expect(own.filter((line) => line.startsWith("buy"))).toEqual(["buy 3"]);
});

test("what a run's guardrails do is reported in full, and secrets are masked", async () => {
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { pay: "state" },
    clock: () => 0,
  });
  const events: unknown[] = [];
  guardrails.on("attempt", (event) => events.push(event));
  const secret = `sk-${"a1B2".repeat(12)}`;
  await guardrails.run({
    tool: "pay",
    callId: "c",
    generate: () => 0,
    execute: () => Outcome.error("declined", `key ${secret}`),
  });
  expect(events).toMatchObject([
    { attempt_id: "c#1", attempt_stage: "generated", tool: "pay" },
    { attempt_stage: "validated" },
    { attempt_stage: "executed", committed: false },
    { attempt_stage: "rolled_back", latest_failure_class: "declined" },
  ]);
  expect(JSON.stringify(events)).not.toContain(secret);
});

test("a listener that throws, or rejects, disturbs nobody; one that is removed hears nothing", async () => {
  const guardrails = shop();
  guardrails.on("attempt", () => {
    throw new Error("no");
  });
  guardrails.on("attempt", async () => Promise.reject(new Error("no")));
  const heard: string[] = [];
  const off = guardrails.on("attempt", ({ call_id: id }) => heard.push(id));
  await run(guardrails, "1");
  off();
  await run(guardrails, "2");
  expect(heard).toEqual(["1", "1", "1"]);
});

test.each([
  [
    "an event of a contract",
    "call-admitted",
    () => 0,
    "unknown event. The events are attempt, tool-pressure",
  ],
  ["no function", "attempt", "log", "the second argument must be a function (event) => void"],
])("%s is a mistake", (_, event, listener, message) => {
  expect(() => shop().on(event as never, listener as never)).toThrow(`guardrails.on: ${message}.`);
});

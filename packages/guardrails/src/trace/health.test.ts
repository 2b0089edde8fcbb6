import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Outcome, type ToolHealth, createGuardrails } from "../index.ts";
import { loopOf } from "../testing/index.ts";
import { createHealth } from "./health.ts";
import type { Records } from "./records.ts";

const HOUR = 3_600_000;

function open() {
  let now = 0;
  const guardrails = createGuardrails({
    clock: () => now,
    effects: { act: "state" },
    guardrails: [
      { name: "no_bad", stage: "commit", check: ({ args }) => args.act === "bad" && "no" },
      {
        name: "key",
        class: "terminal_guardrail",
        reason: "missing_credentials",
        check: ({ args }) => args.act === "closed" && "no key",
      },
    ],
  });
  const loop = loopOf(guardrails, ["act"]);
  const execute = ({ act }: { readonly act: string }): unknown =>
    act === "sold" ? Outcome.error("sold_out", "sold out", { retriable: true }) : "done";
  let thread = 0;
  /** Each thread is a list of turns, each turn the acts of its calls. */
  const play = async (...turns: readonly string[]): Promise<ToolHealth | undefined> => {
    thread += 1;
    for (const turn of turns) {
      const calls = turn.split("+").map((act) => ["act", execute, { act }] as const);
      await loop.turn(calls, { conversationId: `thread_${thread}` });
    }
    return guardrails.health()["act"];
  };
  return { ...loop, play, pass: (milliseconds: number) => (now += milliseconds) };
}

test.each<[string, readonly string[], Partial<ToolHealth>]>([
  ["a success", ["ok"], { calls: 1, sequences: 1, repaired: 0, rollbacks: 0, pressure: 0 }],
  ["two at once", ["ok+ok"], { calls: 2, sequences: 1, pressure: 0 }],
  [
    "a repaired call",
    ["bad", "ok"],
    { calls: 2, sequences: 1, repaired: 1, rollbacks: 1, pressure: 0.25 },
  ],
  [
    "a good and a bad one, then good",
    ["ok+bad", "ok"],
    { sequences: 1, repaired: 1, pressure: 0.25 },
  ],
  [
    "a good and a bad one each turn",
    ["ok+bad", "ok+bad", "ok+bad"],
    { sequences: 1, repaired: 0, guardrail_retry_exhausted: 1, pressure: 1 },
  ],
  [
    "a spent budget",
    ["bad", "bad", "bad"],
    {
      sequences: 1,
      rollbacks: 3,
      guardrail_retry_exhausted: 1,
      outcome_repair_retry_exhausted: 0,
      pressure: 1,
    },
  ],
  [
    "a spent budget of outcomes",
    ["sold", "sold"],
    {
      sequences: 1,
      rollbacks: 2,
      guardrail_retry_exhausted: 0,
      outcome_repair_retry_exhausted: 1,
      pressure: 1,
    },
  ],
  [
    "a budget spent by two calls of a turn",
    ["bad", "bad", "bad+bad"],
    { sequences: 1, rollbacks: 4, guardrail_retry_exhausted: 1, pressure: 1 },
  ],
  [
    "a closed tool",
    ["closed", "ok"],
    { sequences: 1, rollbacks: 1, guardrail_retry_exhausted: 0, pressure: 0 },
  ],
])("health after %s", async (_, turns, expected) => {
  const { play } = open();
  expect(await play(...turns)).toMatchObject(expected);
});

test("pressure halves each hour, and one event says when it reaches 3", async () => {
  const { play, pass, pressures, guardrails } = open();
  await play("bad", "bad", "bad");
  pass(HOUR);
  expect(guardrails.health()["act"]?.pressure).toBe(0.5);
  await play("bad", "bad", "bad");
  await play("bad", "bad", "bad");
  expect(pressures).toEqual([]);
  await play("bad", "bad", "bad");
  await play("bad", "bad", "bad");
  expect(pressures).toEqual([
    expect.objectContaining({ tool: "act", pressure: 3.5, guardrail_retry_exhausted: 4 }),
  ]);
  pass(4 * HOUR);
  for (let thread = 0; thread < 3; thread += 1) await play("bad", "bad", "bad");
  expect(pressures).toHaveLength(2);
});

test("a thousand tools have a health, and others are called all the same", () => {
  const health = createHealth(() => 0);
  for (let tool = 0; tool < 1_000; tool += 1) health.called(`tool ${tool}`);
  health.called("one more");
  for (let times = 0; times < 2; times += 1) health.called("tool 999");
  for (let times = 0; times < 4; times += 1) {
    expect(health.ended("one more", "guardrail")).toBeUndefined();
  }
  const all = health.snapshot();
  expect(Object.keys(all)).toHaveLength(1_000);
  expect(all["tool 999"]).toMatchObject({ calls: 3 });
  expect(all).not.toHaveProperty("one more");
});

test("pressure is too high at the third of three that come one after the other", () => {
  let now = 0;
  const health = createHealth(() => (now += 20_000));
  const ends = [1, 2, 3, 4].map(() => health.ended("act", "guardrail"));
  expect(ends.map((end) => end !== undefined)).toEqual([false, false, true, false]);
});

test("a success that is withdrawn takes its pressure back, and never more", () => {
  const health = createHealth(() => 0);
  health.ended("act", "repaired");
  health.reopened("act", "repaired");
  health.reopened("act", "guardrail");
  expect(health.snapshot()["act"]).toMatchObject({ repaired: 0, pressure: 0 });
});

describe("processes that share records", () => {
  /** Records in memory; the first changes, as many as `failing`, are lost. */
  function recordsIn(failing = 0): Records {
    const pieces = new Map<string, Readonly<Record<string, unknown>>>();
    let left = failing;
    const change: Records["change"] = async (path, make) => {
      if (left > 0) {
        left -= 1;
        return undefined;
      }
      const piece = make(pieces.get(path.join()));
      pieces.set(path.join(), piece);
      return piece;
    };
    const readNow: Records["readNow"] = (path) => pieces.get(path.join());
    return { change, readNow } as Records;
  }

  test("a process that begins knows what others have counted before it has seen a call", async () => {
    const records = recordsIn();
    const first = createHealth(() => 0, records);
    for (const tool of ["act", "plan"]) {
      first.called(tool);
      first.ended(tool, "guardrail");
    }
    await setImmediate();
    const second = createHealth(() => 0, records);
    expect(second.snapshot()).toEqual(first.snapshot());
    // Nothing is added twice.
    second.ended("act", "guardrail");
    await setImmediate();
    const third = createHealth(() => 0, records);
    expect(third.snapshot()["act"]).toMatchObject({ calls: 1, sequences: 2, pressure: 2 });
  });

  test("pressure that another process has added halves each hour too", async () => {
    let now = HOUR;
    const records = recordsIn();
    const first = createHealth(() => now, records);
    first.ended("act", "guardrail");
    await setImmediate();
    now += HOUR;
    first.ended("act", "guardrail");
    await setImmediate();
    expect(first.snapshot()["act"]?.pressure).toBe(1.5);
    now += HOUR;
    const second = createHealth(() => now, records);
    second.called("act");
    await setImmediate();
    expect(second.snapshot()["act"]).toMatchObject({
      guardrail_retry_exhausted: 2,
      pressure: 0.75,
    });
  });

  test("what could not be added is added with the next", async () => {
    const records = recordsIn(3);
    const first = createHealth(() => 0, records);
    first.ended("act", "repaired");
    await setImmediate();
    expect(first.snapshot()["act"]).toMatchObject({ sequences: 1, repaired: 1, pressure: 0.25 });
    first.ended("act", "repaired");
    await setImmediate();
    const second = createHealth(() => 0, records);
    second.called("act");
    await setImmediate();
    expect(second.snapshot()["act"]).toMatchObject({ sequences: 2, repaired: 2, pressure: 0.5 });
  });
});

import { type AttemptStore, createMemoryStore } from "@toolcontract/core";
import { readAttemptState, writeAttemptState } from "@toolcontract/core/adapter";
import { describe, expect, test } from "vitest";
import { type AttemptFailure, Outcome, createGuardrails } from "./index.ts";
import { endOf, idle, loopOf } from "./testing/index.ts";

/** A store whose states go through their text, as in an engine. */
function textStore(): AttemptStore {
  const texts = new Map<string, string>();
  const get = (key: string) => readAttemptState(texts.get(key) ?? "");
  return {
    get: async (key) => get(key),
    async update(key, change) {
      const before = get(key);
      const after = change(before);
      if (after === undefined) texts.delete(key);
      else texts.set(key, writeAttemptState(after));
      return { before, after };
    },
    delete: async (key) => void texts.delete(key),
  };
}

const UNAUTHORIZED = (): never => {
  throw Object.assign(new Error("no token"), { status: 401 });
};
const done = (): string => "done";
const effects = { read: "state" } as const;

describe.each([
  ["in memory", createMemoryStore],
  ["in an engine", textStore],
])("records %s", (_, makeStore) => {
  /** Another process on the same store. */
  const processOn = (records: AttemptStore) =>
    loopOf(createGuardrails({ guardrails: [], effects, records, clock: () => 0 }));

  test("a tool that a failure has closed stays closed after a restart, until it is opened again", async () => {
    const records = makeStore();
    const first = processOn(records);
    await first.call("read", UNAUTHORIZED).catch(() => undefined);
    expect(endOf(await first.call("read", done))).toBe("blocked outcome 1/2 missing_credentials");
    const second = processOn(records);
    expect(endOf(await second.call("read", done))).toBe("blocked outcome 1/2 missing_credentials");
    const other = { conversationId: "other" };
    expect(endOf(await second.call("read", done, {}, other))).toBe("done");
    const third = processOn(records);
    const run = { conversationId: "thread-7" };
    expect(await third.guardrails.reopen("read", run)).toBe(true);
    expect(await third.guardrails.reopen("read", run)).toBe(false);
    expect(endOf(await third.call("read", done))).toBe("done");
    expect(endOf(await processOn(records).call("read", done))).toBe("done");
  });

  test("counts and pressure are those of all processes, also after a restart", async () => {
    const records = makeStore();
    const make = () => {
      const guardrails = createGuardrails({
        guardrails: [{ name: "no", check: () => "no" }],
        records,
        clock: () => 0,
      });
      return loopOf(guardrails);
    };
    const [first, second] = [make(), make()];
    const exhaust = async (loop: typeof first, conversationId: string): Promise<void> => {
      for (let times = 0; times < 3; times += 1) {
        await loop.call("read", done, {}, { conversationId });
      }
      await idle();
    };
    await exhaust(first, "a");
    await exhaust(second, "b");
    await exhaust(first, "c");
    const third = make();
    await exhaust(third, "d");
    expect(third.guardrails.health()["read"]).toMatchObject({
      calls: 12,
      guardrail_retry_exhausted: 4,
      pressure: 4,
    });
    expect(third.pressures).toHaveLength(0);
    // A process that has only begun knows them too.
    const fourth = make();
    await fourth.call("read", done, {}, { conversationId: "e" });
    await idle();
    expect(fourth.guardrails.health()["read"]).toMatchObject({ guardrail_retry_exhausted: 4 });
  });

  test("counts of sequences that end at once are added once", async () => {
    const records = makeStore();
    const make = () =>
      loopOf(createGuardrails({ guardrails: [], effects, records, clock: () => 0 }));
    const first = make();
    await first.call("read", done);
    await idle();
    const second = make();
    const threads = ["a", "b", "c", "d", "e"];
    await Promise.all(
      threads.map(async (conversationId) => second.call("read", done, {}, { conversationId })),
    );
    await idle();
    expect(second.guardrails.health()["read"]).toMatchObject({ calls: 6, sequences: 6 });
    const third = make();
    await third.call("read", done);
    await idle();
    expect(third.guardrails.health()["read"]).toMatchObject({ calls: 7, sequences: 7 });
  });

  test("failed attempts outlive a restart: in events until they are repaired, and for operators", async () => {
    const records = makeStore();
    const outOfStock = (): unknown => Outcome.error("sold_out", "none left", { retriable: true });
    const make = () =>
      loopOf(
        createGuardrails({
          guardrails: [{ name: "small", check: ({ args }) => args.qty === 9 && "too large" }],
          effects,
          records,
          clock: () => 0,
        }),
      );
    const run = { conversationId: "thread-7" };
    await make().call("read", done, { qty: 9 }, { id: "a" });
    const second = make();
    await second.call("read", outOfStock, {}, { id: "b" });
    const classes = (failures: readonly AttemptFailure[] = []) =>
      failures.map(({ call_id, error_class }) => `${call_id} ${error_class}`);
    const both = ["a small", "b sold_out"];
    expect(classes(second.events.at(-1)?.attempt_failures)).toEqual(both);
    const third = make();
    await third.call("read", done, {}, { id: "c" });
    expect(third.events.at(-1)).toMatchObject({
      committed: true,
      latest_failure_class: "sold_out",
    });
    const fourth = make();
    await fourth.call("read", done, { qty: 9 }, { id: "d" });
    await idle();
    expect(classes(fourth.events.at(-1)?.attempt_failures)).toEqual(["d small"]);
    expect(classes(await make().guardrails.failures("read", run))).toEqual([...both, "d small"]);
    const [failure] = await fourth.guardrails.failures("read", run);
    expect(failure).toEqual({
      attempt_id: "a#1",
      stage: "validation",
      error_class: "small",
      error_message: "too large",
      timestamp: "1970-01-01T00:00:00.000Z",
      call_id: "a",
    });
    expect(await fourth.guardrails.failures("read", { conversationId: "other" })).toEqual([]);
  });
});

test("a store of records that fails is logged and changes nothing else", async () => {
  const fail = async (): Promise<never> => Promise.reject(new Error("down"));
  const records = { get: fail, update: fail, delete: fail };
  const loop = loopOf(createGuardrails({ guardrails: [], effects, records }));
  expect(endOf(await loop.call("read", done))).toBe("done");
  await loop.call("read", UNAUTHORIZED).catch(() => undefined);
  expect(endOf(await loop.call("read", done))).toBe("blocked outcome 1/2 missing_credentials");
  expect(loop.lines.map(({ message }) => message)).toContain("The store of records failed");
});

test("a reason of your own closes a tool once it is named", async () => {
  const frozen = {
    name: "frozen",
    class: "terminal_guardrail",
    reason: "account_frozen",
    check: () => "the account is frozen",
  } as const;
  expect(() => createGuardrails({ guardrails: [frozen as never] })).toThrow(
    "option 'reason' must be missing_credentials, ",
  );
  const guardrails = createGuardrails({
    guardrails: [frozen as never],
    terminalReasons: ["account_frozen" as never],
  });
  const { call, events } = loopOf(guardrails);
  expect(endOf(await call("read", done))).toBe("blocked guardrail 1/3 account_frozen");
  expect(events.at(-1)).toMatchObject({
    validation_result: "failed",
    guardrail_class: "terminal_guardrail",
  });
  for (const wrong of ["account_frozen", ["Account Frozen"], [""], [7]]) {
    expect(() => createGuardrails({ guardrails: [], terminalReasons: wrong as never })).toThrow(
      "option 'terminalReasons' must be an array of names",
    );
  }
});

test("a run may have so many refusals of a tool, whatever succeeds between them", async () => {
  const guardrails = createGuardrails({
    guardrails: [
      { name: "hidden", check: ({ args }) => args.amount > 421 && "more than is allowed" },
    ],
    budgets: { run: 5 },
  });
  const { call } = loopOf(guardrails);
  let [low, high] = [0, 1_000];
  let asked = 0;
  const first = { runId: "first" };
  // A limit that nobody tells is found by halves, if good calls between the bad ones reset the count.
  while (high - low > 1 && asked < 40) {
    const amount = Math.floor((low + high) / 2);
    asked += 1;
    const end = endOf(await call("pay", done, { amount }, first));
    if (end.startsWith("blocked")) break;
    if (end === "done") low = amount;
    else high = amount;
    await call("pay", done, { amount: 0 }, first);
  }
  expect(high - low).toBeGreaterThan(1);
  expect(endOf(await call("pay", done, { amount: 0 }, first))).toContain("refusals_exhausted");
  expect(endOf(await call("pay", done, { amount: 0 }, { runId: "next" }))).toBe("done");
});

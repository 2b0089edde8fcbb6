import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { isWhole } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import { ToolContractError } from "@toolcontract/explain";
import type { AttemptSummary } from "../shared/index.ts";
import type { AttemptState } from "./attempt-state.ts";
import type { AttemptStore } from "./attempt-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type AttemptStatus, type RetryTracker, createRetryTracker } from "./retry-tracker.ts";

const errors: readonly AttemptSummary[] = [
  { errorCode: "VAL-001", fieldPath: "/path", summary: "Required field 'path' is missing" },
];
const key = { conversationId: "chat-1", toolName: "write_file" };
/** Stores outlive a process, so the name under which they keep a count must not change. */
const STORED = '["chat-1","write_file"]';

function create(
  options: { maxAttempts?: number; scope?: "run" | "thread"; store?: AttemptStore } = {},
): RetryTracker {
  return createRetryTracker({ scope: "run", maxAttempts: 3, ...options });
}

let calls = 0;
async function fail(tracker: RetryTracker, turnId: string, extra = {}): Promise<AttemptStatus> {
  return tracker.recordFailure(key, { turnId, argumentsHash: `h${calls++}`, errors, ...extra });
}

/** Plays turns `turn:calls`, b a bad call and v a valid one; returns the numbers: `!` is blocked, `s` was so before. */
async function play(tracker: RetryTracker, script: string): Promise<string> {
  const numbers: string[] = [];
  for (const turn of script.split(" ")) {
    const [turnId = "", letters = ""] = turn.split(":");
    for (const letter of letters) {
      if (letter === "v") {
        await tracker.recordValid(key, { turnId });
        continue;
      }
      const { attempt, status, settled } = await fail(tracker, turnId);
      numbers.push(`${attempt}${status === "blocked" ? "!" : ""}${settled ? "s" : ""}`);
    }
  }
  return numbers.join(" ");
}

describe("createRetryTracker", () => {
  // On two processes at once, `@toolcontract/stores/testing` asks the same of every store.
  test.each([
    ["one failure a turn", "1:b 2:b 3:b", "1 2 3!"],
    ["parallel failures of a turn share a number", "1:bbb 2:bb", "1 1 1 2 2"],
    ["a valid turn resets when the next begins", "1:b 2:v 3:b", "1 1"],
    ["only valid turns in between", "1:b 2:vv 3:v 4:b 5:b", "1 1 2"],
    ["a valid call before the bad one of its turn", "1:b 2:vb 3:b", "1 2 3!"],
    ["a valid call after the bad one of its turn", "1:b 2:bv 3:b", "1 2 3!"],
    ["good and bad in every turn still ends", "1:vb 2:bv 3:vb 4:bv", "1 2 3! 3!s"],
    ["a valid call first of all", "1:vb 2:b", "1 2"],
    ["after the limit nothing is counted", "1:b 2:b 3:b 4:b 5:b", "1 2 3! 3!s 3!s"],
    ["a sibling of the last attempt shares it", "1:b 2:b 3:bb", "1 2 3! 3!"],
    ["a valid turn unblocks", "1:b 2:b 3:b 4:v 5:b", "1 2 3! 1"],
    ["a valid call beside a bad one does not unblock", "1:b 2:b 3:b 4:vb 5:b", "1 2 3! 3!s 3!s"],
  ])("counts attempts by model turn: %s", async (_, script, numbers) => {
    expect(await play(create(), script)).toBe(numbers);
  });

  test("stores the history of the attempts, also for a settled failure", async () => {
    const tracker = create();
    await play(tracker, "1:b 2:bb 3:b 4:b");
    const { history } = await tracker.status(key);
    expect(history.map((record) => record.attempt)).toEqual([1, 2, 3]);
    expect(history[1]).toMatchObject({ errors, siblingHashes: [expect.any(String)] });
    expect(history[2]?.siblingHashes).toBeUndefined();
  });

  test.each([1, 2, 5])(
    "blocks with the failure numbered maxAttempts, here %i",
    async (maxAttempts) => {
      const tracker = create({ maxAttempts });
      for (let turn = 1; turn < maxAttempts; turn++) {
        expect(await fail(tracker, `${turn}`)).toMatchObject({ attempt: turn, status: "open" });
      }
      const last = await fail(tracker, "last");
      expect(last).toMatchObject({
        attempt: maxAttempts,
        maxAttempts,
        status: "blocked",
        settled: false,
      });
      expect(await fail(tracker, "later")).toMatchObject({ attempt: maxAttempts, settled: true });
    },
  );

  test("reports the count at any time, as if the latest turn ended now", async () => {
    const tracker = create();
    expect(await tracker.status(key)).toEqual({
      attempt: 0,
      maxAttempts: 3,
      status: "open",
      settled: false,
      history: [],
    });
    await play(tracker, "1:b 2:b");
    expect(await tracker.status(key)).toMatchObject({ attempt: 2, status: "open" });
    expect(await tracker.recordValid(key, { turnId: "3" })).toMatchObject({
      attempt: 0,
      history: [],
    });
    expect(await tracker.status(key)).toMatchObject({ attempt: 0 });
    expect(await fail(tracker, "3")).toMatchObject({ attempt: 3, status: "blocked" });
  });

  test("reports the state as a call would find it, without counting the call", async () => {
    const tracker = create();
    await fail(tracker, "1", { runId: "run-1" });
    await fail(tracker, "2", { runId: "run-1" });
    await fail(tracker, "3", { runId: "run-1" });
    expect(await tracker.status(key, { turnId: "4", runId: "run-1" })).toMatchObject({
      status: "blocked",
    });
    expect(await tracker.status(key, { turnId: "4", runId: "run-2" })).toMatchObject({
      status: "open",
    });
    expect(await tracker.status(key)).toMatchObject({ status: "blocked", attempt: 3 });
  });

  test.each([
    ["run", 1],
    ["thread", 2],
  ] as const)(
    "a new runId in scope %s makes the next failure number %i",
    async (scope, attempt) => {
      const tracker = create({ scope });
      await fail(tracker, "1", { runId: "run-1" });
      expect(await fail(tracker, "2", { runId: "run-2" })).toMatchObject({ attempt });
    },
  );

  test("names the earlier attempt with the same arguments, but no parallel call", async () => {
    const tracker = create({ maxAttempts: 2 });
    const first = await fail(tracker, "1", { argumentsHash: "same" });
    const parallel = await fail(tracker, "1", { argumentsHash: "same" });
    const second = await fail(tracker, "2", { argumentsHash: "same" });
    const later = await fail(tracker, "3", { argumentsHash: "same" });
    expect([first, parallel, second, later].map((status) => status.repeats)).toEqual([
      undefined,
      undefined,
      1,
      1,
    ]);
  });

  test("a parallel call repeats what was answered before its turn, not what is beside it", async () => {
    const tracker = create({ maxAttempts: 5 });
    await fail(tracker, "1", { argumentsHash: "same" });
    await fail(tracker, "2", { argumentsHash: "other" });
    expect((await fail(tracker, "2", { argumentsHash: "same" })).repeats).toBe(1);
    expect((await fail(tracker, "2", { argumentsHash: "other" })).repeats).toBeUndefined();
    expect((await fail(tracker, "3", { argumentsHash: "other" })).repeats).toBe(2);
  });

  const open = { attempt: 0, maxAttempts: 3, status: "open", settled: false, history: [] };
  test.each<[what: string, before: string, turnId: string, answer: object]>([
    ["a tool that never failed", "", "1", { ...open, turnAttempt: 1 }],
    ["after two failures", "1:b 2:b", "3", { ...open, turnAttempt: 3 }],
    ["once the attempts are spent", "1:b 2:b 3:b", "4", { ...open, turnAttempt: 4 }],
    [
      "beside a failure of its turn",
      "1:b 2:b",
      "2",
      { ...open, attempt: 2, history: [1, 2], turnAttempt: 2 },
    ],
  ])("a valid call is answered with what it leaves: %s", async (_, before, turnId, answer) => {
    const tracker = create();
    if (before !== "") await play(tracker, before);
    const { history, ...rest } = await tracker.recordValid(key, { turnId });
    expect({ ...rest, history: history.map(({ attempt }) => attempt) }).toEqual(answer);
  });

  test("a valid call opens no lane of a stage that was closed meanwhile", async () => {
    const tracker = create();
    const guarded = { ...key, lane: "guardrail" } as const;
    const failure = { argumentsHash: "h", errors, closes: true };
    await tracker.recordFailure(guarded, { turnId: "1", ...failure });
    const closed = { attempt: 1, status: "blocked", settled: true };
    expect(await tracker.recordValid(guarded, { turnId: "2" })).toMatchObject(closed);
    expect(await tracker.status(guarded, { turnId: "3" })).toMatchObject(closed);
  });

  test("a call that failed in another lane neither counts nor resets", async () => {
    const tracker = create();
    await tracker.recordElsewhere(key, { turnId: "0" });
    await fail(tracker, "1");
    await tracker.recordElsewhere(key, { turnId: "2" });
    await tracker.recordValid(key, { turnId: "2" });
    expect(await fail(tracker, "3")).toMatchObject({ attempt: 2 });
  });

  test("a run that only a later call of the turn names is known from then on", async () => {
    const tracker = create();
    await fail(tracker, "1");
    await fail(tracker, "1", { runId: "run-1" });
    expect(await fail(tracker, "2", { runId: "run-2" })).toMatchObject({ attempt: 1 });
  });

  test("keeps conversations and tools apart whatever their names are", async () => {
    const tracker = create();
    const names = [
      "a",
      "b",
      "c",
      "a|b",
      "b|c",
      '"',
      '","',
      "\\",
      "__proto__",
      "\uD800",
      "\\ud800",
      "",
    ];
    const keys = names.flatMap((conversationId) =>
      names.map((toolName) => ({ conversationId, toolName })),
    );
    const statuses = await Promise.all(
      keys.map(async (each, index) =>
        tracker.recordFailure(each, { turnId: `${index}`, argumentsHash: "h", errors }),
      ),
    );
    expect(statuses.filter((status) => status.attempt !== 1)).toEqual([]);
  });

  test("reset() clears one tool only", async () => {
    const tracker = create();
    const other = { ...key, toolName: "read_file" };
    await fail(tracker, "1");
    await tracker.recordFailure(other, { turnId: "1", argumentsHash: "h", errors });
    await tracker.reset(key);
    expect(await tracker.status(key)).toMatchObject({ attempt: 0 });
    expect(await tracker.status(other)).toMatchObject({ attempt: 1 });
  });

  test("tools that never fail take no space in the store", async () => {
    const written: string[] = [];
    const memory = createMemoryStore();
    const tracker = create({
      store: {
        ...memory,
        update: (name, change) => {
          const update = memory.update(name, change);
          if (update.after !== update.before) written.push(name);
          return update;
        },
      },
    });
    await tracker.recordValid(key, { turnId: "1" });
    await tracker.recordValid(key, { turnId: "2" });
    expect(written).toEqual([]);
  });

  test("a tool that has recovered takes no space in the store", async () => {
    const store = createMemoryStore();
    const tracker = create({ store });
    await play(tracker, "1:b 2:v");
    expect(store.get(STORED)).toMatchObject({ failed: 1 });
    await play(tracker, "3:v");
    expect(store.get(STORED)).toBeUndefined();
  });

  test.each<[what: string, call: object, kept: object]>([
    ["a call", {}, {}],
    ["one of a run", { runId: "run-1" }, { runId: "run-1" }],
    ["one whose host names no turns", { together: 50, at: 990 }, { turnAt: 1_000 }],
    ["one that closes its tool", { closes: true }, { closed: true }],
    ["the longest id", { turnId: "i".repeat(200) }, { turnId: "i".repeat(200) }],
    [
      "an id that is longer",
      { turnId: "i".repeat(201) },
      { turnId: expect.stringMatching(/^.{1,40}$/) },
    ],
  ])("the store keeps under the names of conversation and tool: %s", async (_, call, kept) => {
    const store = createMemoryStore();
    const clock = (): number => 1_000;
    const tracker = createRetryTracker({ scope: "run", maxAttempts: 3, store, clock });
    await fail(tracker, "1", { argumentsHash: "h", ...call });
    const history = [{ attempt: 1, argumentsHash: "h", errors }];
    const state = { failed: 1, history, turnId: "1", turnOutcome: "counted", ...kept };
    expect(store.get(STORED)).toEqual(state);
  });

  const state = { failed: 1, history: [], turnId: "1", turnOutcome: "counted" };
  const NO_STATE = "A store answers with a state that is none.";
  const NO_UPDATE = "A store's update must answer { before, after }.";
  test.each<[answer: unknown, status: string, failure: string]>([
    ["OK", NO_STATE, NO_UPDATE],
    [{ ...state, failed: "1" }, NO_STATE, NO_UPDATE],
    [{ ...state, history: "none" }, NO_STATE, NO_UPDATE],
    [{ before: state, after: { ...state, failed: null } }, NO_STATE, NO_STATE],
    [{ before: { ...state, history: {} }, after: state }, NO_STATE, NO_STATE],
    [{ before: state, after: undefined }, NO_STATE, "A store's update answers something else."],
    [null, "0", NO_UPDATE],
  ])("a store that answers %j is told so, and counts nothing", async (answer, status, failure) => {
    const broken = { ...whole, get: () => answer, update: () => answer } as AttemptStore;
    const tracker = create({ store: broken });
    const messageOf = (thrown: Error): string => thrown.message;
    expect(await tracker.status(key).then(({ attempt }) => `${attempt}`, messageOf)).toBe(status);
    expect(await fail(tracker, "1").then(() => "counted", messageOf)).toBe(failure);
  });

  test.each<[what: string, wrong: object]>([
    ["NaN failures", { failed: Number.NaN }],
    ["fewer than none", { failed: -5 }],
    ["none", { failed: 0 }],
    ["no turn", { turnId: 5 }],
    ["an outcome that is none", { turnOutcome: "won" }],
  ])("a stored state with %s counts nothing, and every attempt is whole", async (_, wrong) => {
    let kept: unknown = { ...state, ...wrong };
    const store = {
      get: () => kept,
      update: (_name: string, change: (before: unknown) => unknown) => {
        const before = kept;
        kept = change(before);
        return { before, after: kept };
      },
      delete: () => (kept = undefined),
    } as unknown as AttemptStore;
    expect(await play(create({ store }), "2:b 3:b 4:b 5:b")).toBe("1 2 3! 3!s");
  });

  test("a long history of others is shown in part", async () => {
    const record = { attempt: 1, argumentsHash: "h".repeat(9_000), errors: "none" };
    const history = Array.from({ length: 100_000 }, (_, at) => ({ ...record, attempt: at + 1 }));
    const store = { ...whole, get: () => ({ ...state, history }) } as unknown as AttemptStore;
    const { history: shown, attempt } = await create({ store }).status(key);
    expect(attempt).toBe(1);
    expect(JSON.stringify(shown).length).toBeLessThan(10_000);
  });

  const whole = createMemoryStore();
  test.each<[string, unknown]>([
    ["null", null],
    ["a string", "redis://localhost"],
    ["a Map", new Map()],
    ["without get", { ...whole, get: undefined }],
    ["without update", { ...whole, update: undefined }],
    ["without delete", { ...whole, delete: undefined }],
  ])("a store that is %s is refused at once", (_, store) => {
    expect(() => create({ store: store as AttemptStore })).toThrow(
      new ToolContractError(
        "createRetryTracker: `store` must be an AttemptStore with get, update and delete, such as createLocalStore({ get, set, delete }) returns.",
      ),
    );
  });

  test("propagates a store's error and recovers with the next call", async () => {
    const memory = createMemoryStore();
    let isDown = true;
    const tracker = create({
      store: {
        ...memory,
        update: async (name, change) => {
          if (isDown) throw new Error("connection refused");
          return memory.update(name, change);
        },
      },
    });
    await expect(fail(tracker, "1")).rejects.toThrow("connection refused");
    isDown = false;
    expect(await fail(tracker, "2")).toMatchObject({ attempt: 1 });
  });

  test("keeps plain JSON in the store", async () => {
    const kept = new Map<string, string>();
    const tracker = create({
      store: {
        get: (name) => JSON.parse(kept.get(name) ?? "null"),
        update: (name, change) => {
          const before = (JSON.parse(kept.get(name) ?? "null") as AttemptState | null) ?? undefined;
          const after = change(before);
          if (after === undefined) kept.delete(name);
          else kept.set(name, JSON.stringify(after));
          return { before, after };
        },
        delete: (name) => void kept.delete(name),
      },
    });
    expect(await play(tracker, "1:b 2:vb 3:v 4:b 5:b 6:b 7:b")).toBe("1 2 1 2 3! 3!s");
  });
});

describe("concurrent use", () => {
  const conversations = isWhole ? 10_000 : 500;

  function slowStore(): AttemptStore {
    const kept = new Map<string, AttemptState>();
    const pause = async (): Promise<void> => {
      for (let hops = Math.floor(Math.random() * 5); hops > 0; hops--) await Promise.resolve();
      if (Math.random() < 0.05) await sleep(Math.random() * 5);
    };
    return {
      get: async (name) => (await pause(), kept.get(name)),
      // Not atomic: the calls of one process wait for each other all the same.
      update: async (name, change) => {
        await pause();
        const before = kept.get(name);
        const after = change(before);
        await pause();
        if (after === undefined) kept.delete(name);
        else kept.set(name, after);
        return { before, after };
      },
      delete: async (name) => (await pause(), void kept.delete(name)),
    };
  }

  test.each([
    ["the store in memory", createMemoryStore({ maxEntries: conversations })],
    ["an asynchronous store with random delays", slowStore()],
  ])("counts hundreds of concurrent conversations correctly that share %s", async (_, store) => {
    const tracker = create({ store, maxAttempts: 4 });
    const record = async (id: number, turnId: string): Promise<number> => {
      const status = await tracker.recordFailure(
        { conversationId: `chat-${id}`, toolName: "write_file" },
        { turnId, argumentsHash: turnId, errors },
      );
      return status.attempt;
    };
    const ids = Array.from({ length: conversations }, (_unused, id) => id);
    // Nothing is awaited in between: all turns of all conversations are concurrent.
    const counts = ["1", "1", "2", "2", "3"].map((turnId) =>
      ids.map(async (id) => record(id, turnId)),
    );
    const settled = await Promise.all(counts.map(async (round) => Promise.all(round)));
    expect(settled.map((round) => new Set(round))).toEqual(
      [1, 1, 2, 2, 3].map((number) => new Set([number])),
    );
  });

  test("gives the same numbers concurrently and sequentially", async () => {
    const script = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.constantFrom("v", "b")), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const scripted = steps.toSorted(([one], [other]) => one - other);
        const run = async (
          tracker: RetryTracker,
          isParallel: boolean,
        ): Promise<readonly number[]> => {
          const pending: Promise<AttemptStatus>[] = [];
          for (const [turn, outcome] of scripted) {
            const turnId = `${turn}`;
            const call = { turnId, argumentsHash: "h", errors };
            const status =
              outcome === "v" ? tracker.recordValid(key, call) : tracker.recordFailure(key, call);
            pending.push(status);
            if (!isParallel) await status;
          }
          return (await Promise.all(pending)).map((status) => status.attempt);
        };
        expect(await run(create({ store: slowStore() }), true)).toEqual(await run(create(), false));
      }),
      { numRuns: 30 },
    );
  });
});

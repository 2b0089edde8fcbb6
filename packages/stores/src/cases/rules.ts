import {
  type AttemptSummary,
  type AttemptKey,
  type AttemptScope,
  type AttemptStore,
  type RetryTracker,
} from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { type StoreCase, openAll } from "./harness.ts";
import { same } from "./same.ts";

/** A script of turns: `turn:calls`, where b is a bad call and v a valid one, and the numbers of the bad ones. */
const TRACKER_RULES: readonly (readonly [name: string, turns: string, numbers: string])[] = [
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
];

const KEY: AttemptKey = { conversationId: "chat-1", toolName: "write_file" };
const ERRORS: readonly AttemptSummary[] = [
  { errorCode: "VAL-001", fieldPath: "/path", summary: "Required field 'path' is missing" },
];

/** Plays turns on trackers in turn, and returns the numbers: `!` is blocked, `s` was so before. */
async function playTurns(
  trackers: readonly RetryTracker[],
  turns: string,
  key: AttemptKey = KEY,
): Promise<string> {
  const numbers: string[] = [];
  let calls = 0;
  for (const turn of turns.split(" ")) {
    const [turnId = "", outcomes = ""] = turn.split(":");
    for (const outcome of outcomes) {
      const tracker = trackers[calls % trackers.length];
      calls += 1;
      if (!tracker) continue;
      if (outcome === "v") {
        await tracker.recordValid(key, { turnId });
        continue;
      }
      const failure = { turnId, argumentsHash: `${calls}`, errors: ERRORS };
      const { attempt, status, settled } = await tracker.recordFailure(key, failure);
      numbers.push(`${attempt}${status === "blocked" ? "!" : ""}${settled ? "s" : ""}`);
    }
  }
  return numbers.join(" ");
}

function trackersOn(
  stores: readonly AttemptStore[],
  scope: AttemptScope = "run",
  maxAttempts = 3,
): readonly RetryTracker[] {
  return stores.map((store) => createRetryTracker({ scope, maxAttempts, store }));
}

/** The rules of counting, with each call on another one of two stores at the same place. */
export const RULE_CASES: readonly StoreCase[] = [
  ...TRACKER_RULES.map(([name, turns, numbers]): StoreCase => ({
    name: `attempts are counted by model turn: ${name}`,
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      same(await playTurns(trackersOn(stores), turns), numbers, turns);
    },
  })),
  ...([1, 2] as const).map((attempt): StoreCase => ({
    name: `a new run ${attempt === 1 ? "starts a new count" : 'changes nothing in scope "thread"'}`,
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      const [one, other] = trackersOn(stores, attempt === 1 ? "run" : "thread");
      const failure = { argumentsHash: "a", errors: ERRORS };
      await one?.recordFailure(KEY, { ...failure, turnId: "1", runId: "run-1" });
      const next = await other?.recordFailure(KEY, { ...failure, turnId: "2", runId: "run-2" });
      same(next?.attempt, attempt, "the first failure of the new run");
    },
  })),
  {
    name: "the history of the attempts is what was recorded, and names a repetition",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      const [one, other] = trackersOn(stores);
      const failure = { argumentsHash: "a", errors: ERRORS, totalErrors: 4 };
      await one?.recordFailure(KEY, { ...failure, turnId: "1" });
      const second = await other?.recordFailure(KEY, { ...failure, turnId: "2" });
      const record = { argumentsHash: "a", errors: ERRORS, totalErrors: 4 };
      const history = [
        { ...record, attempt: 1 },
        { ...record, attempt: 2 },
      ];
      same(second?.history, history, "the history");
      same(second?.repeats, 1, "the attempt with the same arguments");
      same((await one?.status(KEY))?.history, history, "the history that the other one reads");
    },
  },
  {
    name: "a tool that is closed stays closed in its lane, with its outcome",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      const [one, other] = trackersOn(stores);
      const key = { ...KEY, lane: "guardrail" } as const;
      const outcome = {
        status: "error",
        error_type: "spent",
        error_message: "No attempts are left for write_file",
        retriable: false,
        metadata: { attempts: 1 },
      } as const;
      const refusal = { turnId: "1", argumentsHash: "", errors: ERRORS, closes: true };
      await one?.recordFailure(key, { ...refusal, outcomeOf: () => outcome });
      await other?.recordValid(key, { turnId: "2" });
      const found = await one?.status(key, { turnId: "3" });
      same([found?.status, found?.settled, found?.outcome], ["blocked", true, outcome], "the lane");
      same((await other?.status(KEY))?.status, "open", "the lane validation");
    },
  },
  {
    name: "conversations and tools are kept apart, whatever their names are",
    async run(harness) {
      const { stores } = await openAll(harness, 1);
      const names = ["a", "b", "a|b", '"', '","', "\\", "__proto__", "\uD800", "\\ud800", "", "é"];
      const long = ["x".repeat(20_000), `${"x".repeat(20_000)}y`];
      const [tracker] = trackersOn(stores);
      let turn = 0;
      for (const conversationId of [...names, ...long]) {
        for (const toolName of names) {
          const key = { conversationId, toolName };
          turn += 1;
          const numbers = await playTurns(tracker ? [tracker] : [], `${turn}:b`, key);
          same(numbers, "1", JSON.stringify(key).slice(0, 100));
        }
      }
    },
  },
  {
    name: "reset() clears one tool only",
    async run(harness) {
      const { stores } = await openAll(harness, 2);
      const [one, other] = trackersOn(stores);
      const another = { ...KEY, toolName: "read_file" };
      for (const key of [KEY, another]) await playTurns(one ? [one] : [], "1:b", key);
      await other?.reset(KEY);
      same((await one?.status(KEY))?.attempt, 0, "the one that was reset");
      same((await one?.status(another))?.attempt, 1, "the other one");
    },
  },
  {
    name: "calls within the window are one turn on all stores, whatever turns they name",
    async run(harness) {
      const { stores } = await openAll(harness, 4);
      const trackers = trackersOn(stores, "run", 9);
      const seen: (number | undefined)[] = [];
      for (const round of [1, 2, 3]) {
        // The engine's clock, if it has one, is not this one: an hour is together, and repeated arguments are a new turn.
        const calls = trackers.map(async (tracker, index) =>
          tracker.recordFailure(KEY, {
            turnId: `${round}-${index}`,
            argumentsHash: `${index}`,
            errors: ERRORS,
            together: 3_600_000,
          }),
        );
        for (const { attempt } of await Promise.all(calls)) seen.push(attempt);
      }
      same(seen, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], "four calls in each of three turns");
    },
  },
];

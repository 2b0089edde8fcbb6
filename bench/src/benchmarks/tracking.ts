import { createMemoryStore, createRetryTracker, type RetryTracker } from "@toolcontract/core";
import { type Benchmark, type Table } from "../benchmark.ts";
import { type Contestant, perCall, race } from "../race.ts";

const FEW = 10;
const MANY = 100_000;
const CALLS = 100;
const MOST = 3;

/** Whether counting an attempt stays as fast when there are many conversations (NFR-003). */
export const tracking: Benchmark = {
  name: "tracking",
  about: `looking up and counting attempts with ${FEW} and with ${MANY} conversations in a full store`,
  run: async ({ length }) => [
    await compare("status", length, async (tracker, key) => tracker.status(key)),
    await compare("recordFailure", length, async (tracker, key, turn) =>
      tracker.recordFailure(key, { turnId: `${turn}`, argumentsHash: "", errors: [] }),
    ),
  ],
};

type Use = (tracker: RetryTracker, key: ReturnType<typeof keyOf>, turn: number) => Promise<unknown>;

async function compare(
  title: string,
  length: Parameters<typeof race>[1],
  use: Use,
): Promise<Table> {
  const contestants: Contestant[] = [];
  for (const conversations of [FEW, MANY]) contestants.push(await fill(conversations, use));
  const rows = perCall(await race(contestants, length), CALLS);
  const ratio = rows[1]?.ratio ?? Number.NaN;
  return { title, rows, target: { words: `at most ${MOST} times`, met: ratio <= MOST } };
}

async function fill(conversations: number, use: Use): Promise<Contestant> {
  const store = createMemoryStore({ maxEntries: conversations });
  const tracker = createRetryTracker({ scope: "thread", maxAttempts: 3, store });
  for (let index = 0; index < conversations; index += 1) {
    await tracker.recordFailure(keyOf(index), { turnId: "0", argumentsHash: "", errors: [] });
  }
  let turn = 0;
  return {
    name: `${conversations} conversations`,
    async run() {
      for (let index = 0; index < CALLS; index += 1) {
        turn += 1;
        // A stride that visits the whole store, so that nothing stays in a cache by accident.
        await use(tracker, keyOf((turn * 7_919) % conversations), turn);
      }
    },
  };
}

function keyOf(index: number): { readonly conversationId: string; readonly toolName: string } {
  return { conversationId: `conversation-${index}`, toolName: "write_file" };
}

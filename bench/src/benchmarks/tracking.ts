import { createMemoryStore, type RetryTracker } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { type Benchmark, type Setting, type Table } from "../benchmark.ts";
import { type Contestant, perCall, race } from "../race.ts";

const SIZES = { full: [1, 1_000, 1_000_000], quick: [1, 100] } as const;
const CALLS = 100;
const MOST = 3;
const NO_ERRORS = { argumentsHash: "", errors: [] } as const;

/** Measures whether counting an attempt stays as fast with many conversations. */
export const tracking: Benchmark = {
  name: "tracking",
  about: "looking up and counting attempts, by the number of conversations in a full store",
  run: async ({ length, isQuick }) => {
    const filled: Filled[] = [];
    for (const size of SIZES[isQuick ? "quick" : "full"]) filled.push(await fill(size));
    return [
      await compare("status", filled, length, async (tracker, key) => tracker.status(key)),
      await compare("a failure and then a success", filled, length, async (tracker, key, turn) => {
        await tracker.recordFailure(key, { turnId: `${turn}`, ...NO_ERRORS });
        await tracker.recordValid(key, { turnId: `${turn} again` });
      }),
    ];
  },
};

type Use = (tracker: RetryTracker, key: ReturnType<typeof keyOf>, turn: number) => Promise<unknown>;

interface Filled {
  readonly conversations: number;
  readonly tracker: RetryTracker;
}

async function compare(
  title: string,
  filled: readonly Filled[],
  length: Setting["length"],
  use: Use,
): Promise<Table> {
  const timings = await race(
    filled.map((one) => using(one, use)),
    length,
  );
  const rows = perCall(timings, CALLS);
  const met = (rows.at(-1)?.ratio ?? Number.NaN) <= MOST;
  return { title, rows, target: { words: `the largest takes at most ${MOST} times`, met } };
}

async function fill(conversations: number): Promise<Filled> {
  const store = createMemoryStore({ maxEntries: conversations });
  const tracker = createRetryTracker({ scope: "thread", maxAttempts: 3, store });
  for (let index = 0; index < conversations; index += 1) {
    await tracker.recordFailure(keyOf(index), { turnId: "0", ...NO_ERRORS });
  }
  return { conversations, tracker };
}

function using({ conversations, tracker }: Filled, use: Use): Contestant {
  let turn = 0;
  return {
    name: `${conversations.toLocaleString("en-US")} conversations`,
    async run() {
      for (let index = 0; index < CALLS; index += 1) {
        turn += 1;
        // This stride visits the whole store, so that the processor's caches do not help.
        await use(tracker, keyOf((turn * 7_919) % conversations), turn);
      }
    },
  };
}

function keyOf(index: number): { readonly conversationId: string; readonly toolName: string } {
  return { conversationId: `conversation-${index}`, toolName: "write_file" };
}

import { type AttemptStatus, type RetryTracker, createMemoryStore } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { type StoreCase, openAll } from "./harness.ts";
import { same } from "./same.ts";

const ROUNDS = 40;
const CALLS = 8;
const REPLICAS = 3;
const MAX_ATTEMPTS = 3;
const KEY = { conversationId: "chat", toolName: "tool" };

/** A call of one replica. */
export interface ReplicaCall {
  readonly replica: number;
  readonly turnId: string;
  readonly isValid: boolean;
}

/** Calls that are made at once, and what each was answered. */
export interface AnsweredCalls {
  readonly calls: readonly ReplicaCall[];
  readonly answers: readonly AttemptStatus[];
}

/** Makes a call. */
export async function makeCall(
  tracker: RetryTracker,
  { turnId, isValid }: ReplicaCall,
): Promise<AttemptStatus> {
  if (isValid) return tracker.recordValid(KEY, { turnId });
  return tracker.recordFailure(KEY, { turnId, argumentsHash: turnId, errors: [] });
}

/** Creates the trackers of replicas as makeCall() needs them. */
export function replicaTracker(
  store?: Parameters<typeof createRetryTracker>[0]["store"],
): RetryTracker {
  return createRetryTracker({
    scope: "thread",
    maxAttempts: MAX_ATTEMPTS,
    ...(store && { store }),
  });
}

/**
 * Whether some order of the calls, in which those of each replica stay in theirs, gives the same answers one after another.
 */
export async function equalsSomeSequence({ calls, answers }: AnsweredCalls): Promise<boolean> {
  const texts = answers.map((answer) => JSON.stringify(answer));
  const visited = new Set<string>();

  async function extend(order: readonly number[]): Promise<boolean> {
    if (order.length === calls.length) return true;
    const waiting = calls.flatMap((call, index) =>
      order.includes(index) ? [] : [{ call, index }],
    );
    for (const { call, index } of waiting) {
      // The first one of its replica that is not yet in the order.
      if (waiting.find((other) => other.call.replica === call.replica)?.index !== index) continue;
      const next = [...order, index];
      const { answer, state } = await replay(calls, next);
      if (JSON.stringify(answer) !== texts[index]) continue;
      // Which calls were made and what is kept then decide what may follow.
      const place = JSON.stringify([next.toSorted((one, other) => one - other), state]);
      if (visited.has(place)) continue;
      visited.add(place);
      if (await extend(next)) return true;
    }
    return false;
  }

  return extend([]);
}

/** Makes calls one after another, and returns the last answer and what is kept then. */
async function replay(
  calls: readonly ReplicaCall[],
  order: readonly number[],
): Promise<{ readonly answer?: AttemptStatus; readonly state: unknown }> {
  const memory = createMemoryStore();
  let state: unknown;
  const tracker = replicaTracker({
    ...memory,
    update(name, change) {
      const update = memory.update(name, change);
      state = update.after;
      return update;
    },
  });
  let answer: AttemptStatus | undefined;
  for (const index of order) {
    const call = calls[index];
    if (call) answer = await makeCall(tracker, call);
  }
  return { ...(answer && { answer }), state };
}

/** Any interleaving of replicas equals a sequence. */
export const INTERLEAVING_CASES: readonly StoreCase[] = [
  {
    name: "what replicas are answered at once is what one process would be answered in some order",
    async run(harness) {
      const random = createRandom(1);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { stores } = await openAll(harness, REPLICAS);
        const trackers = stores.map((store) => replicaTracker(store));
        const calls = Array.from({ length: CALLS }, (): ReplicaCall => ({
          replica: random(REPLICAS),
          turnId: `${random(5)}`,
          isValid: random(3) === 0,
        }));
        const answers = await Promise.all(
          calls.flatMap((call) => {
            const tracker = trackers[call.replica];
            return tracker ? [makeCall(tracker, call)] : [];
          }),
        );
        const isSequence = await equalsSomeSequence({ calls, answers });
        same(isSequence, true, `an order exists for ${JSON.stringify({ calls, answers })}`);
      }
    },
  },
];

/** The same numbers each time, so that a case that fails can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

import type { GivenCall, HandledInTurn } from "../call/index.ts";
import type { ToolCall } from "../shared/index.ts";

type Calls = readonly GivenCall[];

/** Waits for all calls of a turn, and keeps the results of a turn that threw. */
interface SettledTurns {
  /** The results in the order of the calls, which are kept by the array that the host gave; throws what the first call threw, once all are done. */
  settle<TResult extends HandledInTurn>(
    given: Calls,
    calls: readonly ToolCall[],
    handle: (call: ToolCall, index: number) => Promise<TResult>,
  ): Promise<readonly TResult[]>;
  /** The results of a turn that threw. */
  settled(calls: Calls): readonly HandledInTurn[];
}

/** Creates the register of turns that threw; it keeps no turn longer than its host keeps the calls. */
export function createSettledTurns(): SettledTurns {
  const threw = new WeakMap<Calls, readonly HandledInTurn[]>();
  return {
    async settle(given, calls, handle) {
      threw.delete(given);
      const ends = await Promise.allSettled(calls.map(handle));
      const results = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
      const thrown = ends.find((end) => end.status === "rejected");
      if (thrown === undefined) return results;
      threw.set(given, results);
      throw thrown.reason;
    },
    settled: (calls) => threw.get(calls) ?? [],
  };
}

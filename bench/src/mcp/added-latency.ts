import type { Row } from "../benchmark.ts";
import { median, type RaceLength } from "../race.ts";
import { type CallKind, callSum } from "./client.ts";
import { DIRECT, type Route } from "./routes.ts";

/** What one way takes for a call. */
export interface Latency {
  readonly name: string;
  /** Milliseconds for a call, the median of all rounds. */
  readonly total: number;
  /** Milliseconds more than its direct way of the same round, the median of all rounds. */
  readonly added: number;
  readonly isDirect: boolean;
}

/**
 * Lets every way make calls in turns, one after the other.
 *
 * The clock on the wall it must be, since the work is done in several processes; so the turns are short, and what is
 * shown is formed within a round.
 */
export async function addedLatency(
  routes: readonly Route[],
  kind: CallKind,
  { rounds, turnTime, warmRuns }: RaceLength,
): Promise<readonly Latency[]> {
  const calls = Math.max(2, Math.min(40, Math.round(turnTime * 2)));
  for (const route of routes) await takeTurn(route, kind, Math.min(warmRuns, 500));
  const times: number[][] = routes.map(() => []);
  const order = [...routes.keys()];
  for (let round = 0; round < rounds; round += 1) {
    for (const index of order) {
      times[index]?.push(await takeTurn(routes[index] as Route, kind, calls));
    }
    order.reverse();
  }
  return routes.map(({ name, against }, index) => {
    const own = times[index] ?? [];
    const direct =
      times[
        Math.max(
          0,
          routes.findIndex((route) => route.name === against),
        )
      ] ?? [];
    const added = own.map((time, round) => time - (direct[round] ?? Number.NaN));
    return { name, total: median(own), added: median(added), isDirect: name.startsWith(DIRECT) };
  });
}

/** The median of some calls: one that the machine held up does not count. */
async function takeTurn({ client }: Route, kind: CallKind, calls: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now();
    await callSum(client, kind);
    times.push(performance.now() - start);
  }
  return median(times);
}

/** The rows of a table: what the direct way takes, and what the others add to it. */
export function latencyRows(latencies: readonly Latency[]): readonly Row[] {
  const [first] = latencies;
  return latencies.map(({ name, total, added, isDirect }) => ({
    name,
    value: isDirect ? total : added,
    unit: isDirect ? "ms" : "ms more",
    ratio: total / (first?.total ?? Number.NaN),
  }));
}

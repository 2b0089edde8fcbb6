import { type Benchmark, rowNamed, type Setting, type Table } from "../benchmark.ts";
import { type Row } from "../row.ts";
import { type CallKind, callSum } from "../mcp/client.ts";
import { type Processes, withProcesses } from "../mcp/processes.ts";
import { DIRECT, httpRoutes, OWN, type Route, stdioRoutes } from "../mcp/routes.ts";
import { median, type RaceLength } from "../race.ts";

const KINDS: readonly CallKind[] = ["good", "bad"];

/** Measures what the proxy in front of an MCP server adds to a call, against the bridges that people use. */
export const mcpLatency: Benchmark = {
  name: "mcp-latency",
  about:
    "sequential calls from a bare client to a server with one tool on the official SDK; each route is compared with the direct one to the same server, for a bridge on the server's transport",
  async run({ length }) {
    const stdio = await measure("stdio", stdioRoutes, 0.15, length);
    return [...stdio, ...(await measure("Streamable HTTP", httpRoutes, 0.3, length))];
  },
};

async function measure(
  transport: string,
  open: (processes: Processes) => Promise<readonly Route[]>,
  most: number,
  length: Setting["length"],
): Promise<readonly Table[]> {
  return withProcesses(async (processes) => {
    const routes = await open(processes);
    const tables: Table[] = [];
    for (const kind of KINDS) {
      const rows = latencyRows(await addedLatency(routes, kind, length));
      const title = `a client on ${transport}, ${kind} calls`;
      tables.push({ title, rows, target: targetOf(rows, most) });
    }
    return tables;
  });
}

function targetOf(rows: readonly Row[], most: number): NonNullable<Table["target"]> {
  const own = rowNamed(rows, OWN).value;
  const peers = rows.filter(({ name }) => name.includes(", to the server"));
  const met = own <= most && peers.every(({ value }) => own < value);
  return { words: `at most ${most} ms more, and less than each bridge`, met };
}

/** The time of a call on one route. */
interface Latency {
  readonly name: string;
  /** Milliseconds per call, the median of all rounds. */
  readonly total: number;
  /** Milliseconds more than the direct route in the same round, the median of all rounds. */
  readonly added: number;
  readonly isDirect: boolean;
}

/**
 * Measures every route in turns.
 *
 * Several processes do the work, so only the wall clock can measure it: turns are short, and differences are taken
 * within a round.
 */
async function addedLatency(
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

/** The median of some calls, so that a single delayed one does not count. */
async function takeTurn({ client }: Route, kind: CallKind, calls: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now();
    await callSum(client, kind);
    times.push(performance.now() - start);
  }
  return median(times);
}

/** The rows of a table: the time of the direct route, and what the others add to it. */
function latencyRows(latencies: readonly Latency[]): readonly Row[] {
  const [first] = latencies;
  return latencies.map(({ name, total, added, isDirect }) => ({
    name,
    value: isDirect ? total : added,
    unit: isDirect ? "ms" : "ms more",
    ratio: total / (first?.total ?? Number.NaN),
  }));
}

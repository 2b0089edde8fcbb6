import { availableParallelism, loadavg } from "node:os";
import { type Benchmark, type Table } from "../benchmark.ts";
import { callSum, type McpClient } from "../mcp/client.ts";
import { cpuTimeOf } from "../mcp/cpu-time.ts";
import { type Processes, withProcesses } from "../mcp/processes.ts";
import {
  BARE,
  OWN,
  quickHttpRoutes,
  quickStdioRoutes,
  type Route,
  wideToolsRoute,
} from "../mcp/routes.ts";
import { median, type RaceLength } from "../race.ts";
import type { Row } from "../row.ts";

const WIDTHS = [1, 16, 64];
/** A turn must be long enough for many calls at once. */
const TURN = 10;
const WARM = 10;
const SIZES = [10, 100, 500, 1_800, 5_000];
const MOST_FIRST = 20;

/** Measures the proxy under load, beside the least that a program in the middle can do. */
export const mcpLoad: Benchmark = {
  name: "mcp-load",
  about:
    "valid calls, as many at once as the column says, to a server that answers at once; the routes take turns, and each is compared with the bare pass-through in the same round",
  async run({ length, isQuick }) {
    const http = await measure("Streamable HTTP", quickHttpRoutes, length);
    const stdio = await measure("stdio", quickStdioRoutes, length);
    return [...http, ...stdio, await firstCalls(isQuick ? SIZES.slice(0, 2) : SIZES)];
  },
};

/** What one turn of a route came to. */
interface Turn {
  /** Milliseconds, the median of its calls. */
  readonly wait: number;
  readonly callsPerSecond: number;
  /** Microseconds of processor time of the program in the middle. */
  readonly cpu: number;
}

/** The turns of a route at one width, one for each round. */
interface Turns {
  readonly name: string;
  readonly width: number;
  readonly turns: readonly Turn[];
}

/** The rounds are fair on a busy machine too, but what it was doing belongs to the figures. */
function beside(): string {
  const [load = 0] = loadavg();
  return load > availableParallelism() ? `, on a machine with a load of ${Math.round(load)}` : "";
}

/** One figure of a turn, and what it must be beside another route in the same rounds. */
interface Measure {
  readonly title: string;
  readonly unit: string;
  readonly of: (turn: Turn) => number;
  /** By transport. */
  readonly goals: Readonly<Partial<Record<Transport, Goal>>>;
}

type Transport = "Streamable HTTP" | "stdio";

interface Goal {
  readonly words: string;
  readonly against: string;
  readonly isMet: (ratio: number) => boolean;
  /**
   * The widths at which it holds.
   *
   * @default all of them
   */
  readonly at?: readonly number[];
}

const MEASURES: readonly Measure[] = [
  {
    title: "the median call",
    unit: "ms",
    of: ({ wait }) => wait,
    goals: {
      "Streamable HTTP": {
        words: "at most 1.05 times the bare one",
        against: BARE,
        isMet: (ratio) => ratio <= 1.05,
      },
      stdio: {
        words: "at 16 and 64, at most 1.4 times the bare one",
        against: BARE,
        at: [16, 64],
        isMet: (ratio) => ratio <= 1.4,
      },
    },
  },
  {
    title: "throughput",
    unit: "calls a second",
    of: ({ callsPerSecond }) => callsPerSecond,
    goals: {
      "Streamable HTTP": {
        words: "at least 0.95 of the bare one",
        against: BARE,
        isMet: (ratio) => ratio >= 0.95,
      },
    },
  },
  {
    title: "processor time of the program in the middle",
    unit: "µs a call",
    of: ({ cpu }) => cpu,
    goals: {
      "Streamable HTTP": {
        words: "at most 1.05 times the bare one",
        against: BARE,
        isMet: (ratio) => ratio <= 1.05,
      },
    },
  },
];

async function measure(
  transport: Transport,
  open: (processes: Processes) => Promise<readonly Route[]>,
  length: RaceLength,
): Promise<readonly Table[]> {
  // Before its own processes add to it.
  const before = beside();
  return withProcesses(async (processes) => {
    const routes = await open(processes);
    const all: Turns[] = [];
    for (const width of WIDTHS) all.push(...(await takeTurns(routes, width, length)));
    return MEASURES.map((one) => tableOf(one, all, transport, before));
  });
}

function tableOf(
  { title, unit, of, goals }: Measure,
  all: readonly Turns[],
  transport: Transport,
  before: string,
): Table {
  const rows = all
    .map(({ name, width, turns }): Row => ({ name, at: width, value: median(turns.map(of)), unit }))
    // Nothing is in the middle of the direct route.
    .filter(({ value }) => Number.isFinite(value));
  const goal = goals[transport];
  return {
    title: `${transport}${before}: ${title}`,
    axis: "calls at once",
    rows,
    ...(goal && { target: targetOf(goal, all, of) }),
  };
}

/** A goal with our turns relative to those of the other route in the same rounds, the median at each width. */
function targetOf(
  { words, against, isMet, at: widths = WIDTHS }: Goal,
  all: readonly Turns[],
  of: Measure["of"],
): NonNullable<Table["target"]> {
  const ratios = widths.map((at) => {
    const turnsOf = (name: string): readonly number[] =>
      (all.find((one) => one.name === name && one.width === at)?.turns ?? []).map(of);
    const others = turnsOf(against);
    return median(turnsOf(OWN).map((own, round) => own / (others[round] ?? Number.NaN)));
  });
  const shown = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  return { words: `${words} (measured: ${shown})`, met: ratios.every(isMet) };
}

/** Every route takes its turn in every round, in alternating order. */
async function takeTurns(
  routes: readonly Route[],
  width: number,
  { rounds, turnTime }: RaceLength,
): Promise<readonly Turns[]> {
  const time = turnTime * TURN;
  const taken = routes.map((): Turn[] => []);
  const order = [...routes.keys()];
  for (const route of routes) await takeTurn(route, width, WARM * time);
  for (let round = 0; round < rounds; round += 1) {
    for (const index of order)
      taken[index]?.push(await takeTurn(routes[index] as Route, width, time));
    order.reverse();
  }
  return routes.map(({ name }, index) => ({ name, width, turns: taken[index] ?? [] }));
}

async function takeTurn({ client, pid }: Route, width: number, time: number): Promise<Turn> {
  const waits: number[] = [];
  const cpuBefore = pid === undefined ? Number.NaN : cpuTimeOf(pid);
  const start = performance.now();
  const lane = async (): Promise<void> => {
    for (let now = start; now - start < time;) {
      await callSum(client, "good");
      const after = performance.now();
      waits.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  const took = performance.now() - start;
  const cpu = pid === undefined ? Number.NaN : cpuTimeOf(pid) - cpuBefore;
  return {
    wait: median(waits),
    callsPerSecond: (waits.length * 1_000) / took,
    cpu: (cpu * 1_000) / waits.length,
  };
}

/** The first call of tools of many sizes, in a proxy that has run other calls. */
async function firstCalls(sizes: readonly number[]): Promise<Table> {
  return withProcesses(async (processes) => {
    const { client } = await wideToolsRoute(processes, sizes);
    for (let call = 0; call < 500; call += 1) await callSum(client, "good");
    const rows: Row[] = [];
    for (const size of sizes) {
      const first = await timeOf(client, size);
      rows.push({ name: "the first call", at: size, value: first, unit: "ms" });
      rows.push({ name: "the second", at: size, value: await timeOf(client, size), unit: "ms" });
    }
    const met = rows.every(({ value }) => value < MOST_FIRST);
    return {
      title: `Streamable HTTP${beside()}: the first call of a tool`,
      axis: "fields of its schema",
      rows,
      target: { words: `less than ${MOST_FIRST} ms`, met },
    };
  });
}

async function timeOf(client: McpClient, size: number): Promise<number> {
  const fields = Object.fromEntries(
    Array.from({ length: Math.min(size, 20) }, (_, index) => [`field_${index}`, `one_${index}`]),
  );
  const start = performance.now();
  const answer = await client.request("tools/call", { name: `of${size}`, arguments: fields });
  if (answer.includes("isError")) throw new Error(`It was refused: ${answer.slice(0, 300)}`);
  return performance.now() - start;
}

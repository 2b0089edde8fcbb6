import { execFileSync } from "node:child_process";
import type { Benchmark, Table } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { callSum, type McpClient } from "../mcp/client.ts";
import { type Processes, withProcesses } from "../mcp/processes.ts";
import { ownHttpRoute, ownStdioRoute, type Route } from "../mcp/routes.ts";

const CALLS = { quick: 400, full: 20_000, long: 100_000 };
const AT_ONCE = 20;
/** One in this many calls is bad. */
const ONE_BAD_OF = 10;
const MOST_MORE = 20;
/** A large heap delays collection, and then garbage cannot be told from a leak. */
const SMALL_HEAP = ["--max-old-space-size=48", "--max-semi-space-size=2"];

/** Measures whether the proxy in front of an MCP server leaks memory. */
export const mcpMemory: Benchmark = {
  name: "mcp-memory",
  about: `memory of the proxy over many calls, ${AT_ONCE} at once, one in ${ONE_BAD_OF} bad, in a heap of at most 48 MB; --long makes 100,000 calls`,
  async run({ isQuick, isLong }) {
    const calls = CALLS[isQuick ? "quick" : isLong === true ? "long" : "full"];
    const tables = [await measure("stdio", ownStdioRoute, calls)];
    tables.push(await measure("Streamable HTTP", ownHttpRoute, calls));
    return tables;
  },
};

async function measure(
  transport: string,
  open: (processes: Processes, nodeFlags: readonly string[]) => Promise<Route>,
  calls: number,
): Promise<Table> {
  return withProcesses(async (processes) => {
    const route = await open(processes, SMALL_HEAP);
    const { pid } = route;
    if (pid === undefined) throw new Error("The proxy did not start.");
    const rows: Row[] = [];
    let made = 0;
    for (const share of [0.1, 0.5, 1]) {
      await callMany(route.client, calls * share - made);
      made = calls * share;
      rows.push({ name: `after ${made} calls`, value: megabytes(pid), unit: "MB resident" });
    }
    const grown = (rows.at(-1)?.value ?? Number.NaN) - (rows[0]?.value ?? Number.NaN);
    const words = `at most ${MOST_MORE} MB more at the end than after a tenth`;
    return { title: `a client on ${transport}`, rows, target: { words, met: grown <= MOST_MORE } };
  });
}

async function callMany(client: McpClient, calls: number): Promise<void> {
  let made = 0;
  const lane = async (): Promise<void> => {
    while (made < calls) {
      made += 1;
      await callSum(client, made % ONE_BAD_OF === 0 ? "bad" : "good");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function megabytes(pid: number): number {
  const text = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(text) / 1_024;
}

import { type Benchmark, rowNamed, type Row, type Setting, type Table } from "../benchmark.ts";
import { addedLatency, latencyRows } from "../mcp/added-latency.ts";
import type { CallKind } from "../mcp/client.ts";
import { type Processes, withProcesses } from "../mcp/processes.ts";
import { httpRoutes, OWN, type Route, stdioRoutes } from "../mcp/routes.ts";

const KINDS: readonly CallKind[] = ["good", "bad"];

/** What the proxy in front of an MCP server adds to a call, against the bridges that people use. */
export const mcpLatency: Benchmark = {
  name: "mcp-latency",
  about:
    "one call after the other, from a bare client to a server of one tool on the official SDK; each way is held against the direct one to the same server, which for a bridge is the transport that the server speaks",
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

import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { type CreateHarness, describeAdapter } from "@toolcontract/case-table";
import { currentRecorder, type Line } from "@toolcontract/case-table/recording";
import { parseRejection } from "@toolcontract/core";
import { afterAll, beforeAll } from "vitest";
import { connected } from "../testing/sdk-servers.ts";
import {
  BEGIN,
  guardrailsOf,
  NEXT_TURN,
  type Observed,
  OBSERVED,
  RECORDED,
  RUNS,
} from "../testing/table-case.ts";
import { answersOf, callAll, CANNOT, reportOf } from "../testing/table-host.ts";
import { INFO } from "../testing/test-servers.ts";

const RELAY = fileURLToPath(new URL("../testing/table-relay.ts", import.meta.url));
const SERVER = fileURLToPath(new URL("../testing/table-server.ts", import.meta.url));

// One relay and one server run every case: for each, the relay creates a gate and the server registers the tools.
const client = new Client(INFO);
const connection = connected(client, () => undefined);

beforeAll(async () => {
  const args = [RELAY, process.execPath, SERVER];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
});
afterAll(async () => connection.close());

async function ask<Result>(method: string, params: Record<string, unknown> = {}): Promise<Result> {
  return (await client.request({ method, params }, ResultSchema)) as Result;
}

const harness: CreateHarness = async (testCase, { logger, onEscalation }) => {
  const { name, tools, options, turns } = testCase;
  const recorder = currentRecorder();
  const answers = answersOf(turns);
  const { format } = options ?? {};
  await ask(BEGIN, { name, tools, format, answers, records: recorder !== undefined });
  return {
    runTurn: async (turn) => {
      await client.notification({ method: NEXT_TURN, params: { calls: turn.calls.length } });
      const results = await callAll(turn, connection);
      const { runs } = await ask<{ readonly runs: readonly [string, unknown][] }>(RUNS);
      return results.map(([id, result]) => reportOf(id, result, new Map(runs)));
    },
    committed: async () => (await ask<Observed>(OBSERVED)).committed,
    close: async () => {
      const { entries, escalations } = await ask<Observed>(OBSERVED);
      for (const [fields, message] of entries) logger(fields, message);
      for (const escalation of escalations) onEscalation(escalation);
      if (!recorder) return;
      const { lines } = await ask<{ readonly lines: readonly Line[] }>(RECORDED);
      for (const { kind, detail, turn } of lines) recorder.add(kind, detail, turn);
    },
  };
};

describeAdapter("stdio relay in front of v2 McpServer", harness, {
  parseRejection,
  createGuardrails: guardrailsOf,
  cannot: CANNOT,
  // The gate is the same in process, where each case runs.
  share: "one in three",
});

import {
  type CallReport,
  type Capability,
  type CaseCall,
  type CreateHarness,
  describeAdapter,
  outputOf,
} from "@toolcontract/conformance";
import { parseRejection } from "@toolcontract/core";
import { type Gate, createGate } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import { type CallResult, type Connect, WAYS } from "../testing/sdk-servers.ts";
import { CALL_ID } from "../testing/test-servers.ts";
import { withContract } from "./with-contract.ts";

const CANNOT: Partial<Record<Capability, string>> = {
  finishReason: "the protocol does not tell why the model's output ended",
  rawText: "the protocol carries arguments as a value that the client has read already",
  userMessages: "the protocol does not tell of the user's messages",
};

// A low-level server runs whatever comes; a high-level one refuses in its own words, which must become ours.
const SERVERS = [
  ["v1 Server in memory", "reject"],
  ["v2 McpServer in memory", "assist"],
  ["v2 createMcpHandler, 2026-07-28", "assist"],
] as const;

for (const [name, soft] of SERVERS) {
  describeAdapter(`withContract on ${name}`, harness(WAYS[name]!, soft), {
    parseRejection,
    cannot: CANNOT,
  });
}

/** A conversation in which a second passes between two turns, because a protocol without turns goes by the time. */
function harness(way: Connect, soft: "assist" | "reject"): CreateHarness {
  return async ({ tools, options, turns }, { logger, onEscalation }) => {
    let now = 0;
    const calls = new Map(turns.flatMap((turn) => turn.calls.map((call) => [call.id, call])));
    const runs = new Map<string, unknown>();
    const names = new Map<string, string>();
    const gate = createGate({
      ...options,
      soft,
      logger,
      clock: () => now,
      // A request's id is the client's own, and the table knows the model's.
      onEscalation: ({ toolCall, ...seen }) => {
        const id = names.get(toolCall.id) ?? toolCall.id;
        onEscalation({ ...seen, toolCall: { id, arguments: toolCall.arguments } });
      },
    });
    const named: Gate = {
      ...gate,
      fromClient: (message, link) => {
        const callId = callIdOf(message);
        if (callId !== undefined) names.set(String(message["id"]), callId);
        return gate.fromClient(message, link);
      },
    };
    const served = tools.map(({ name, inputSchema }) => ({
      name,
      inputSchema,
      run: (args: unknown, callId: string) => {
        runs.set(callId, args);
        const call: Pick<CaseCall, "fails" | "output"> = calls.get(callId) ?? {};
        return { text: outputOf(call), ...(call.fails && { isError: true }) };
      },
    }));
    const client = await way(served, (server) => withContract(server, { gate: named }));
    return {
      runTurn: async (turn) => {
        now += 1_000;
        return Promise.all(
          turn.calls.map(async ({ id, tool, arguments: text }) => {
            const result = await client.call(tool, JSON.parse(text), id);
            return reportOf(id, result, runs);
          }),
        );
      },
      close: async () => client.close(),
    };
  };
}

function callIdOf({ params }: Message): string | undefined {
  const meta = (params as { readonly _meta?: Readonly<Record<string, string>> } | undefined)?._meta;
  return meta?.[CALL_ID];
}

function reportOf(
  id: string,
  { isError = false, content: parts }: CallResult,
  runs: ReadonlyMap<string, unknown>,
): CallReport {
  const content = parts.map((part) => part.text).join("\n\n");
  const outcome = parseRejection(content)?.status ?? "executed";
  return { id, outcome, content, isError, ran: runs.has(id), input: runs.get(id) };
}

import {
  type CallReport,
  type Capability,
  type CaseTurn,
  type CreateHarness,
  outputOf,
} from "@toolcontract/case-table";
import { parseRejection } from "@toolcontract/core";
import type { Gate } from "../gate/index.ts";
import type { CallResult, Connected } from "./sdk-servers.ts";
import { type Answers, createCaseGate, recordedTools } from "./table-case.ts";
import type { TestTool } from "./test-servers.ts";

/** What MCP cannot express, so that its hosts skip the cases that need it. */
export const CANNOT: Partial<Record<Capability, string>> = {
  finishReason: "the protocol does not say why the model's output ended",
  rawText: "the protocol carries arguments as a value that the client has already parsed",
  userMessages: "the protocol does not carry the user's messages",
};

/** Connects a client to a server of the given tools, with the given gate between them. */
export type ConnectThrough = (tools: readonly TestTool[], gate: Gate) => Promise<Connected>;

/** A harness for gates that live in the test's own process: each case gets its own. */
export function harnessOf(connect: ConnectThrough, soft: "assist" | "reject"): CreateHarness {
  return async ({ tools, options, turns }, observers) => {
    const runs = new Map<string, unknown>();
    const { gate, nextTurn } = createCaseGate(options, soft, observers);
    const client = await connect(recordedTools(tools, answersOf(turns), runs), gate);
    return {
      runTurn: async (turn) => {
        nextTurn(turn.calls.length);
        const results = await callAll(turn, client);
        return results.map(([id, result]) => reportOf(id, result, runs));
      },
      close: async () => client.close(),
    };
  };
}

/** What the tools answer to the calls of a case. */
export function answersOf(turns: readonly CaseTurn[]): Answers {
  const calls = turns.flatMap((turn) => turn.calls);
  return Object.fromEntries(
    calls.map((call) => [call.id, { text: outputOf(call), ...(call.fails && { isError: true }) }]),
  );
}

/** Makes the calls of a turn in parallel. */
export async function callAll(
  { calls }: CaseTurn,
  client: Pick<Connected, "call">,
): Promise<readonly (readonly [id: string, result: CallResult])[]> {
  return Promise.all(
    calls.map(async ({ id, tool, arguments: text }) => [
      id,
      await client.call(tool, JSON.parse(text), id),
    ]),
  );
}

/** What became of a call, from what the client got and what reached the tool. */
export function reportOf(
  id: string,
  { isError = false, content: parts }: CallResult,
  runs: ReadonlyMap<string, unknown>,
): CallReport {
  const content = parts.map((part) => part.text).join("\n\n");
  const outcome = parseRejection(content)?.status ?? "executed";
  return { id, outcome, content, isError, ran: runs.has(id), input: runs.get(id) };
}

import { createContract, FORMAT_VERSION, type Handled, type ToolCall } from "@toolcontract/core";
import { META_KEY, type ValidationMeta } from "@toolcontract/mcp";
import { countTokens } from "../count-tokens.ts";
import { type McpServer, resultText, startMcpServer } from "../mcp-server.ts";
import type { CallRecord, TurnRecord } from "../scenario.ts";
import { argumentsText, createScriptedModel } from "../scripted-model.ts";
import type { Workspace } from "../workspace.ts";
import { behindProxy } from "./behind-proxy.ts";
import type { McpResult, McpScenario, McpScene } from "./mcp-scenario.ts";

/** Sends a scripted model's calls with the official client, with and without the proxy. */
export async function playMcpScenario(
  scenario: McpScenario,
  { guarded, plain }: Workspace,
): Promise<McpScene> {
  const command = scenario.server(guarded.path);
  const starting = [
    startMcpServer(behindProxy(command, scenario.flags ?? []), guarded.path),
    startMcpServer(scenario.server(plain.path), plain.path),
  ];
  try {
    const [proxied, direct] = await Promise.all(starting);
    if (!proxied || !direct) throw new Error("A server is missing.");
    const { turns, ...results } = await play(scenario, proxied, direct);
    const alone = await playAlone(scenario, direct);
    const pages = alone.length === 0 ? {} : { pages: [aloneWith(alone)] };
    // The proxy counts in its own process.
    const metrics = createContract().metrics();
    const quiet = { escalations: [], logs: [], events: [], metrics };
    return { ...quiet, ...results, ...pages, alone, turns, guarded, plain };
  } finally {
    for (const server of await Promise.allSettled(starting)) {
      if (server.status === "fulfilled") await server.value.close();
    }
  }
}

/** Sends the calls that a model makes which reads only the server's own words. */
async function playAlone(
  { alone = [], script }: McpScenario,
  direct: McpServer,
): Promise<readonly McpResult[]> {
  const tool = script[0]?.calls[0]?.tool ?? "";
  const results: McpResult[] = [];
  for (const args of alone) results.push(await direct.call(tool, args));
  return results;
}

function aloneWith(results: readonly McpResult[]): NonNullable<McpScene["pages"]>[number] {
  const lines = results.map((result, index) => `turn ${index + 1}: ${resultText(result)}`);
  return { title: "The same model, alone with the server's own words", text: lines.join("\n") };
}

async function play(
  { script, name }: McpScenario,
  proxied: McpServer,
  direct: McpServer,
): Promise<Pick<McpScene, "turns" | "withProxy" | "withoutProxy">> {
  const format = { style: "compact" } as const;
  const compact = createContract({ format, logger: () => undefined });
  const model = createScriptedModel(script);
  const turns: TurnRecord[] = [];
  const withProxy: McpResult[] = [];
  const withoutProxy: McpResult[] = [];
  for (let message = model.next([]); message; message = model.next(withProxy.map(resultText))) {
    const calls: CallRecord[] = [];
    for (const [index, scripted] of message.calls.entries()) {
      const id = `call_${turns.length + 1}_${index + 1}`;
      const call = { id, name: scripted.tool, arguments: argumentsText(scripted) };
      const args = JSON.parse(call.arguments) as Readonly<Record<string, unknown>>;
      const result = await proxied.call(call.name, args);
      const bare = await direct.call(call.name, args);
      withProxy.push(result);
      withoutProxy.push(bare);
      const context = { tools: proxied.tools, conversationId: name };
      const shorter = await compact.handle(call, { ...context, execute: () => "" });
      calls.push(record(call, result, bare, shorter));
    }
    turns.push({ message, calls });
  }
  return { turns, withProxy, withoutProxy };
}

function record(call: ToolCall, result: McpResult, bare: McpResult, compact: Handled): CallRecord {
  const handled = handledIn(call, result);
  const text = resultText(bare);
  const plain = {
    loop: "plain",
    text,
    tokens: countTokens(text),
    ran: bare.isError !== true,
  } as const;
  return {
    call,
    handled,
    repaired: false,
    tokens: countTokens(handled.result.content),
    compactTokens: countTokens(compact.result.content),
    without: handled.status === "executed" ? [] : [plain],
  };
}

/** The proxy's decision on a call, as far as a client can see it. */
function handledIn({ id, name }: ToolCall, result: McpResult): Handled {
  const content = resultText(result);
  const head = { formatVersion: FORMAT_VERSION, toolCallId: id, toolName: name, advisories: [] };
  const answer = { ...head, content, isError: result.isError === true };
  const meta = result._meta?.[META_KEY] as ValidationMeta | undefined;
  if (meta === undefined) {
    return {
      status: "executed",
      attempt: 1,
      result: { ...answer, status: "executed" },
      output: content,
    };
  }
  const { attempt, maxAttempts } = meta;
  return {
    status: "rejected",
    result: { ...answer, status: "rejected" },
    errors: [],
    attempt,
    maxAttempts,
  };
}

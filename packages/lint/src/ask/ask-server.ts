import { isRecord } from "@toolcontract/explain/adapter";
import { type McpServer, RequestError, ServerError } from "@toolcontract/mcp-client";
import { proofsFor } from "../engine/index.ts";
import { firstOfEachKind, type Proof } from "../grade/index.ts";
import type { LintTool } from "../shared/index.ts";

/** What a server answered to a call that its own schema refuses. */
export interface ServerAnswer {
  readonly outcome: "refused" | "accepted" | "no answer";
  /** What a model reads of it today; why, if there was no answer. */
  readonly text: string;
}

/** A tool after the server was asked. */
export interface AskedTool {
  /** The calls with their answers; empty if the tool was left alone. */
  readonly calls: readonly (Proof & { readonly today: ServerAnswer })[];
  /** Whether the tool was left alone because it says that it destroys things. */
  readonly isSpared: boolean;
}

/** How much of an answer is kept, in UTF-16 units. */
const MAX_TEXT = 4_000;

/**
 * Sends a server one mistaken call of each kind for each of its tools, one after the other. Only calls that the tool's own
 * schema refuses are sent, and none to a tool that is annotated as destructive: a server that validates nothing runs them.
 */
export async function askTools(
  server: McpServer,
  tools: readonly LintTool[],
): Promise<readonly AskedTool[]> {
  const asked: AskedTool[] = [];
  for (const tool of tools) asked.push(await askTool(server, tool));
  return asked;
}

async function askTool(server: McpServer, tool: LintTool): Promise<AskedTool> {
  if (isDestructive(tool)) return { calls: [], isSpared: true };
  const refused = firstOfEachKind(proofsFor(tool).filter(({ text }) => text !== ""));
  const calls: AskedTool["calls"][number][] = [];
  for (const proof of refused) {
    const params = { name: tool.name, arguments: proof.arguments };
    calls.push({ ...proof, today: await answerToCall(server, params) });
  }
  return { calls, isSpared: false };
}

function isDestructive({ source }: LintTool): boolean {
  const annotations = isRecord(source) ? source["annotations"] : undefined;
  return isRecord(annotations) && annotations["destructiveHint"] === true;
}

async function answerToCall(
  server: McpServer,
  params: Readonly<Record<string, unknown>>,
): Promise<ServerAnswer> {
  try {
    const result = await server.request("tools/call", params);
    const isError = isRecord(result) && result["isError"] === true;
    return {
      outcome: isError ? "refused" : "accepted",
      text: textOfResult(result).slice(0, MAX_TEXT),
    };
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    const { message } = thrown;
    if (!(thrown instanceof RequestError)) return { outcome: "no answer", text: message };
    return { outcome: "refused", text: thrown.text.slice(0, MAX_TEXT) };
  }
}

/** What a result says in text; other parts by their type. */
function textOfResult(result: unknown): string {
  const content = isRecord(result) ? result["content"] : undefined;
  if (!Array.isArray(content)) return JSON.stringify(result) ?? "";
  return content
    .map((part: unknown) => {
      const { type, text } = isRecord(part) ? part : {};
      return typeof text === "string" ? text : `[${String(type)}]`;
    })
    .join("\n");
}

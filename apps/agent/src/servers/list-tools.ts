import { type Client, SdkError, SdkErrorCode, type Tool } from "@modelcontextprotocol/client";
import { isRecord } from "@toolcontract/core/adapter";

/** The SDK refuses a server's tools; these are the reason. */
export class UnreadableTools extends Error {
  readonly tools: readonly string[];
  constructor(tools: readonly string[], cause: unknown) {
    super("The server's list of tools cannot be read", { cause });
    this.tools = tools;
  }
}

/** Lists the tools of a server, all pages of them. */
export async function listTools(client: Client, signal: AbortSignal): Promise<readonly Tool[]> {
  // Of a server without tools, the SDK writes to standard output.
  if (client.getServerCapabilities()?.tools === undefined) return [];
  try {
    const { tools } = await client.listTools(undefined, { signal });
    if (tools.some(({ name }) => name === "")) throw new Error("it has a tool without a name");
    return tools;
  } catch (thrown) {
    if (!(thrown instanceof SdkError) || thrown.code !== SdkErrorCode.InvalidResult) throw thrown;
    const refused = await refusedTools(client, signal);
    if (refused.length === 0) throw new Error("its list of tools is invalid", { cause: thrown });
    throw new UnreadableTools(refused, thrown);
  }
}

/** Takes any result: the SDK's error has the places of the faults only in its words. */
const ANYTHING = {
  "~standard": { version: 1, vendor: "agent", validate: (value: unknown) => ({ value }) },
} as const;
const MAX_PAGES = 64;

/** The tools whose schema is none of an object, as MCP requires. */
async function refusedTools(client: Client, signal: AbortSignal): Promise<readonly string[]> {
  const refused: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = typeof cursor === "string" ? { params: { cursor } } : {};
    const result: unknown = await client.request({ method: "tools/list", ...params }, ANYTHING, {
      signal,
    });
    const { tools, nextCursor } = isRecord(result) ? result : {};
    for (const tool of Array.isArray(tools) ? (tools as readonly unknown[]) : []) {
      const { name, inputSchema } = isRecord(tool) ? tool : {};
      const isObject = isRecord(inputSchema) && inputSchema["type"] === "object";
      if (typeof name === "string" && !isObject) refused.push(name);
    }
    if (typeof nextCursor !== "string" || nextCursor === "" || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return refused;
}

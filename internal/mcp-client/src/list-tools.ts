import type { McpServer } from "./connect.ts";
import { ServerError } from "./errors.ts";
import { isRecord } from "./message.ts";

const MAX_PAGES = 100;

/** The entries of a server's whole list of tools, as it sent them. */
export async function listTools(server: McpServer): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await server.request("tools/list", cursor === undefined ? {} : { cursor });
    if (!isRecord(result) || !Array.isArray(result["tools"])) {
      throw new ServerError("its answer to tools/list has no tools");
    }
    tools.push(...(result["tools"] as readonly unknown[]));
    cursor = result["nextCursor"];
    if (typeof cursor !== "string" || cursor === "") return tools;
  }
  throw new ServerError("its list of tools has no end");
}

import { isRecord, type Message } from "../wire/index.ts";
import { type CheckConnection, Unreached } from "./connection.ts";

/** What a server says of itself. */
export interface ServerTools {
  /** Its name and version, if it says them. */
  readonly server: string;
  /** The entries of its list, as it sent them. */
  readonly tools: readonly unknown[];
}

const VERSION = "2025-11-25";
const STATELESS_VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";
const MAX_PAGES = 100;

/** Connects as a client does and reads the whole list of tools. */
export async function listTools(
  connection: CheckConnection,
  clientInfo: { readonly name: string; readonly version: string },
): Promise<ServerTools> {
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
  const { result } = await connection.request("initialize", params);
  if (!isRecord(result)) return listStateless(connection, clientInfo);
  connection.agreed(String(result["protocolVersion"]));
  await connection.notify("notifications/initialized");
  return { server: nameIn(result["serverInfo"]), tools: await pages(connection, {}) };
}

/** A server of the stateless protocol knows no `initialize`. */
async function listStateless(
  connection: CheckConnection,
  clientInfo: Message,
): Promise<ServerTools> {
  connection.agreed(STATELESS_VERSION);
  const _meta = {
    [`${META}protocolVersion`]: STATELESS_VERSION,
    [`${META}clientInfo`]: clientInfo,
    [`${META}clientCapabilities`]: {},
  };
  return { server: "", tools: await pages(connection, { _meta }) };
}

async function pages(connection: CheckConnection, params: Message): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await connection.request("tools/list", {
      ...params,
      ...(cursor !== undefined && { cursor }),
    });
    const { result } = answer;
    if (!isRecord(result) || !Array.isArray(result["tools"])) {
      throw new Unreached("it does not list its tools");
    }
    tools.push(...(result["tools"] as readonly unknown[]));
    cursor = result["nextCursor"];
    if (typeof cursor !== "string" || cursor === "") return tools;
  }
  throw new Unreached("its list of tools has no end");
}

function nameIn(info: unknown): string {
  if (!isRecord(info)) return "";
  return [info["name"], info["version"]].filter((part) => typeof part === "string").join(" ");
}

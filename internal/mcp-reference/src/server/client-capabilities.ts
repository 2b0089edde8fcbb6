import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What the client of a request says it can do; nothing in the era with sessions, where it says so once. */
export function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

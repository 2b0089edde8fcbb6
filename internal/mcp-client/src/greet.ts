import { isRecord, type Message } from "./message.ts";
import type { Transport } from "./transport.ts";

/** What a client calls itself. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** What a client and a server have agreed on. */
export interface Greeting {
  /** The server's name and version; empty if it did not give them. */
  readonly server: string;
  /** What every request has to carry beside its own parameters. */
  readonly params: Message;
}

const VERSION = "2025-11-25";
const STATELESS_VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";

/** Opens a session, or finds out that the server speaks the stateless protocol, which has no `initialize`. */
export async function greet(transport: Transport, clientInfo: ClientInfo): Promise<Greeting> {
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
  const { result } = await transport.request("initialize", params);
  if (!isRecord(result)) return greetStateless(transport, clientInfo);
  const { protocolVersion, serverInfo } = result;
  transport.agreed(typeof protocolVersion === "string" ? protocolVersion : VERSION);
  await transport.notify("notifications/initialized");
  return { server: nameIn(serverInfo), params: {} };
}

function greetStateless(transport: Transport, clientInfo: ClientInfo): Greeting {
  transport.agreed(STATELESS_VERSION);
  const _meta = {
    [`${META}protocolVersion`]: STATELESS_VERSION,
    [`${META}clientInfo`]: clientInfo,
    [`${META}clientCapabilities`]: {},
  };
  return { server: "", params: { _meta } };
}

function nameIn(info: unknown): string {
  if (!isRecord(info)) return "";
  return [info["name"], info["version"]].filter((part) => typeof part === "string").join(" ");
}

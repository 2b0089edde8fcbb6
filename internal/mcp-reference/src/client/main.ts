// A client for the suite: node main.ts v1|v2 [--through] <url of the server>
import { startProxy } from "../proxy.ts";
import { connectV1, connectV2 } from "./connect.ts";
import { useServer, type WantedCall } from "./use-server.ts";

// The suite gives a client 30 seconds, and then ends only the shell around it.
setTimeout(() => process.exit(1), 25_000).unref();

const [line, ...others] = process.argv.slice(2);
const { MCP_CONFORMANCE_CONTEXT: context = "{}", MCP_CONFORMANCE_PROTOCOL_VERSION: revision = "" } =
  process.env;
const server = others.at(-1) ?? "";
const proxy = others.includes("--through") ? await startProxy(server) : undefined;
try {
  const url = new URL(proxy?.url ?? server);
  const { client, close } = await (line === "v1" ? connectV1(url) : connectV2(url, revision));
  const { toolCalls } = JSON.parse(context) as { readonly toolCalls?: readonly WantedCall[] };
  await useServer(client, toolCalls);
  await close();
} finally {
  await proxy?.close();
}

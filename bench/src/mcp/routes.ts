import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@toolcontract/free-port";
import { begin, httpClient, type McpClient, stdioClient } from "./client.ts";
import type { Processes } from "./processes.ts";
import { socketClient } from "./socket-client.ts";

/** One way from a client to the server, with all its processes started. */
export interface Route {
  readonly name: string;
  readonly client: McpClient;
  /** The direct route to the same server, if it is not the first. */
  readonly against?: string;
  /** The process in between, if there is one. */
  readonly pid?: number | undefined;
}

const QUICK_SERVER = fileURLToPath(import.meta.resolve("./quick-server.ts"));
const SDK_RELAY = fileURLToPath(import.meta.resolve("./sdk-relay.ts"));
const SDK_PROXY = fileURLToPath(import.meta.resolve("./sdk-http-proxy.ts"));
const SERVER = fileURLToPath(import.meta.resolve("./sum-server.ts"));
const BARE_RELAY = fileURLToPath(import.meta.resolve("./bare-relay.ts"));
const BARE_PROXY = fileURLToPath(import.meta.resolve("./bare-http-proxy.ts"));
const MCP_PROXY_TO_HTTP = fileURLToPath(import.meta.resolve("./mcp-proxy-to-http.ts"));
const OURS = fileURLToPath(import.meta.resolve("@toolcontract/mcp/package.json")).replace(
  /package\.json$/,
  "src/cli.ts",
);
const MCP_PROXY = fileURLToPath(import.meta.resolve("mcp-proxy")).replace(
  /[^/\\]+$/,
  "bin/mcp-proxy.mjs",
);
const SUPERGATEWAY = fileURLToPath(import.meta.resolve("supergateway/dist/index.js"));
const MCP_REMOTE = fileURLToPath(import.meta.resolve("mcp-remote/dist/proxy.js"));
const NODE = process.execPath;
const START_MS = 30_000;

/** Opens the route through this project's relay, for a client on stdio. */
export async function ownStdioRoute(
  { start }: Processes,
  nodeFlags: readonly string[] = [],
): Promise<Route> {
  const child = start(...nodeFlags, OURS, "--", NODE, SERVER);
  const client = stdioClient(child);
  await begin(client);
  return { name: OWN, client, pid: child.pid };
}

/** Opens the route through this project's proxy, for a client on Streamable HTTP. */
export async function ownHttpRoute(
  processes: Processes,
  nodeFlags: readonly string[] = [],
  server?: number,
): Promise<Route> {
  const upstream = `http://127.0.0.1:${server ?? (await serverOnHttp(processes))}/mcp`;
  const port = await freePort();
  const flags = ["--upstream", upstream, "--port", String(port)];
  const child = processes.start(...nodeFlags, OURS, ...flags);
  return { name: OWN, client: await connected(port), pid: child.pid };
}

/** Opens all routes for a client on stdio; the first is the direct one. */
export async function stdioRoutes(processes: Processes): Promise<readonly Route[]> {
  const { start } = processes;
  const port = await serverOnHttp(processes);
  const own = ownStdioRoute(processes);
  const url = `http://127.0.0.1:${port}/mcp`;
  const gateway = [
    "--streamableHttp",
    url,
    "--protocolVersion",
    "2025-06-18",
    "--logLevel",
    "none",
  ];
  const others = [
    { name: DIRECT, child: start(SERVER) },
    { name: "a bare relay in Node", child: start(BARE_RELAY, NODE, SERVER) },
    {
      name: "supergateway, to the server on HTTP",
      child: start(SUPERGATEWAY, ...gateway),
      against: DIRECT_HTTP,
    },
  ].map(({ child, ...route }) => ({ ...route, client: stdioClient(child) }));
  await Promise.all(others.map(async ({ client }) => begin(client)));
  return [...others, { name: DIRECT_HTTP, client: await connected(port) }, await own];
}

/** Opens all routes for a client on Streamable HTTP; the first is the direct one. */
export async function httpRoutes(processes: Processes): Promise<readonly Route[]> {
  const { start } = processes;
  const server = await serverOnHttp(processes);
  const own = ownHttpRoute(processes, [], server);
  const [bare = 0, toHttp = 0, proxy = 0, gateway = 0] = await Promise.all(
    [1, 2, 3, 4].map(freePort),
  );
  const stateful = ["--outputTransport", "streamableHttp", "--stateful", "--logLevel", "none"];
  start(BARE_PROXY, `${bare}`, `${server}`);
  start(MCP_PROXY_TO_HTTP, `${toHttp}`, `${server}`);
  const stream = ["--port", `${proxy}`, "--host", "127.0.0.1", "--server", "stream"];
  start(MCP_PROXY, ...stream, "--", NODE, SERVER);
  start(SUPERGATEWAY, "--stdio", `"${NODE}" "${SERVER}"`, "--port", `${gateway}`, ...stateful);
  const onStdio = stdioClient(start(SERVER));
  await begin(onStdio);
  const others = [
    { name: DIRECT, port: server },
    { name: "a bare proxy in Node", port: bare },
    { name: "mcp-proxy, to the server on HTTP", port: toHttp },
    { name: "mcp-proxy, to the server on stdio", port: proxy, against: DIRECT_STDIO },
    { name: "supergateway, to the server on stdio", port: gateway, against: DIRECT_STDIO },
  ].map(async ({ port, ...route }) => ({ ...route, client: await connected(port) }));
  return [...(await Promise.all(others)), { name: DIRECT_STDIO, client: onStdio }, await own];
}

/** Opens the routes to a server on stdio that answers at once; the first is the direct one, then the bare relay. */
export async function quickStdioRoutes({ start }: Processes): Promise<readonly Route[]> {
  const port = await quickServer({ start });
  const url = `http://127.0.0.1:${port}/mcp`;
  const gateway = ["--streamableHttp", url, "--logLevel", "none"];
  const remote = [url, "--transport", "http-only", "--silent"];
  const routes = [
    { name: DIRECT, child: start(QUICK_SERVER) },
    { name: BARE, child: start(BARE_RELAY, NODE, QUICK_SERVER) },
    { name: SDK, child: start(SDK_RELAY, NODE, QUICK_SERVER) },
    { name: "supergateway, to the server on HTTP", child: start(SUPERGATEWAY, ...gateway) },
    { name: "mcp-remote, to the server on HTTP", child: start(MCP_REMOTE, ...remote) },
    { name: OWN, child: start(OURS, "--", NODE, QUICK_SERVER) },
  ].map(({ name, child }) => ({
    name,
    client: stdioClient(child),
    pid: name === DIRECT ? undefined : child.pid,
  }));
  await Promise.all(routes.map(async ({ client }) => begin(client)));
  return routes;
}

/** The same on Streamable HTTP. */
export async function quickHttpRoutes(processes: Processes): Promise<readonly Route[]> {
  const { start } = processes;
  const server = await quickServer(processes);
  const [bare = 0, sdk = 0, toHttp = 0, gateway = 0, own = 0] = await Promise.all(
    [1, 2, 3, 4, 5].map(freePort),
  );
  const stateful = ["--outputTransport", "streamableHttp", "--stateful", "--logLevel", "none"];
  const routes = [
    { name: DIRECT, port: server },
    { name: BARE, port: bare, child: start(BARE_PROXY, `${bare}`, `${server}`) },
    { name: SDK, port: sdk, child: start(SDK_PROXY, `${sdk}`, `${server}`) },
    {
      name: "mcp-proxy, to the server on HTTP",
      port: toHttp,
      child: start(MCP_PROXY_TO_HTTP, `${toHttp}`, `${server}`),
    },
    {
      name: "supergateway, to the server on stdio",
      port: gateway,
      child: start(
        SUPERGATEWAY,
        "--stdio",
        `"${NODE}" "${QUICK_SERVER}"`,
        "--port",
        `${gateway}`,
        ...stateful,
      ),
    },
    { name: OWN, port: own, child: start(OURS, ...ownFlags(server, own)) },
  ].map(async ({ name, port, child }) => ({
    name,
    client: await connected(port, socketClient),
    pid: child?.pid,
  }));
  return Promise.all(routes);
}

/** Opens the route through this project's proxy to a server with one more tool of each size. */
export async function wideToolsRoute(
  processes: Processes,
  sizes: readonly number[],
): Promise<Route> {
  const [server, own] = [await quickServer(processes, sizes), await freePort()];
  const child = processes.start(OURS, ...ownFlags(server, own));
  return { name: OWN, client: await connected(own, socketClient), pid: child.pid };
}

function ownFlags(server: number, port: number): readonly string[] {
  return ["--upstream", `http://127.0.0.1:${server}/mcp`, "--port", String(port)];
}

async function quickServer(processes: Processes, sizes: readonly number[] = []): Promise<number> {
  const port = await freePort();
  processes.start(QUICK_SERVER, String(port), ...sizes.map(String));
  await connected(port, socketClient);
  return port;
}

/** The name of the route through the least that a Node program in the middle does. */
export const BARE = "a bare pass-through in Node";

/** The name of the same on the transports of the official SDK. */
const SDK = "a bare pass-through on the SDK";

/** The name of the route with nothing between client and server. */
export const DIRECT = "direct";

const DIRECT_HTTP = "direct, on HTTP";
const DIRECT_STDIO = "direct, on stdio";

/** The name of the route through this project's proxy. */
export const OWN = "@toolcontract/mcp";

async function serverOnHttp(processes: Processes): Promise<number> {
  const port = await freePort();
  processes.start(SERVER, String(port));
  await connected(port);
  return port;
}

/** Creates a client in a session; retries while the server starts. */
async function connected(
  port: number,
  createClient: typeof httpClient = httpClient,
): Promise<McpClient> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const client = createClient(port);
    try {
      await begin(client);
      return client;
    } catch (thrown) {
      client.close();
      if (performance.now() > deadline) throw thrown;
      await sleep(50);
    }
  }
}

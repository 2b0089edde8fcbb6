import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { type BuiltCommand, buildCommand } from "@toolcontract/built-command";
import { freePort } from "@toolcontract/free-port";

const PROXY = join(import.meta.dirname, "../../../packages/mcp");
/** Long, so that calls which are sent together are together on a busy machine too; what is repeated is a turn of its own. */
const COALESCE = "10s";

/** Proxies in front of one server. */
export interface Fleet {
  readonly replicas: readonly Replica[];
  /** Ends all of it. */
  close(): Promise<void>;
}

/** One proxy. */
export interface Replica {
  readonly url: string;
  /** How many tools it has escalated since its start. */
  escalations(): Promise<number>;
  /** Ends its process at once, with whatever it was doing. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a server of the tool `add` and proxies in front of it. */
export async function startFleet(count: number, storeUrl: string | undefined): Promise<Fleet> {
  const upstream = await listen(answerTool);
  const built = await buildCommand({ folder: PROXY, entry: "src/cli.ts" });
  const replicas = await Promise.all(
    Array.from({ length: count }, async () => startReplica(built, portOf(upstream), storeUrl)),
  );
  return {
    replicas,
    async close() {
      await Promise.all(replicas.map(async (replica) => replica.kill()));
      built.remove();
      upstream.closeAllConnections();
      upstream.close();
    },
  };
}

async function startReplica(
  built: BuiltCommand,
  upstreamPort: number,
  storeUrl: string | undefined,
): Promise<Replica> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  let child: ChildProcess | undefined;
  const replica: Replica = {
    url: `http://127.0.0.1:${port}/mcp`,
    async escalations() {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      const lines = (await answer.text()).matchAll(/^toolcontract_escalations_total\S* (\d+)$/gm);
      return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    async start() {
      const upstream = ["--upstream", `http://127.0.0.1:${upstreamPort}/mcp`, "--port", `${port}`];
      const output = ["--log-level", "silent", "--metrics-port", `${metricsPort}`];
      const store = storeUrl === undefined ? [] : ["--store", storeUrl, "--store-timeout", "60s"];
      const args = [
        join(built.folder, "cli.js"),
        ...upstream,
        ...output,
        ...store,
        "--coalesce",
        COALESCE,
      ];
      const started = spawn(process.execPath, args, {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, TOOLCONTRACT_CONFIG: "off" },
      });
      child = started;
      // Its first line says that it listens.
      await once(started.stderr, "data");
      started.stderr.resume();
    },
  };
  await replica.start();
  return replica;
}

const TOOL = {
  name: "add",
  inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
};

interface Request {
  readonly id?: unknown;
  readonly method?: string;
}

function answerTool({ id, method }: Request): object | undefined {
  if (id === undefined) return undefined;
  if (method === "tools/list") {
    // Many tools, so that each is a count of its own.
    const tools = Array.from({ length: 20 }, (_, at) => ({ ...TOOL, name: `${TOOL.name}-${at}` }));
    return { jsonrpc: "2.0", id, result: { tools } };
  }
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "done" }] } };
}

async function listen(answer: (request: Request) => object | undefined): Promise<Server> {
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const result = answer(JSON.parse(text) as Request);
      response.writeHead(result ? 200 : 202, { "content-type": "application/json" });
      response.end(result && JSON.stringify(result));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

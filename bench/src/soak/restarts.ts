import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildCommand } from "@toolcontract/built-command";
import { freePort } from "@toolcontract/free-port";

const PROXY = join(import.meta.dirname, "../../../packages/mcp");
const LANES = 6;
/** Every so many calls is a bad one. */
const BAD = 50;
const RESTARTS = 7;
const AWAY_MS = 200;

/** The proxies: their flags, and how their server answers. */
const PROXIES: Readonly<Record<string, Way>> = {
  "sessions, streams of events": { flags: [], isStream: true, hasSessions: true },
  "no sessions, JSON": { flags: [], isStream: false, hasSessions: false },
  "queue and time limit": {
    flags: ["--queue", "default=8", "--tool-timeout", "5s"],
    isStream: false,
    hasSessions: true,
  },
};

interface Way {
  readonly flags: readonly string[];
  readonly isStream: boolean;
  readonly hasSessions: boolean;
}

/** What came of one proxy whose server was restarted again and again. */
export interface RestartSums {
  readonly name: string;
  readonly sent: number;
  /** Answers of the tool, refusals of the contract, and everything else. */
  readonly ran: number;
  readonly refused: number;
  readonly failed: number;
  /** Answers that belong to another call. */
  readonly wrong: number;
  /** Calls that the server has run, and bad ones among them. */
  readonly runs: number;
  readonly badRuns: number;
  /** The sums of the proxy's own metrics. */
  readonly operations: number;
  readonly judged: number;
  readonly unvalidated: number;
}

/** Whether nothing was lost or mixed up, and the proxy's numbers add up. */
export function addsUp(sums: RestartSums): boolean {
  const { sent, ran, refused, failed, wrong, runs, badRuns } = sums;
  const { operations, judged, unvalidated } = sums;
  return (
    wrong === 0 &&
    ran + refused + failed === sent &&
    // A call that ran may have lost its answer.
    runs >= ran &&
    // Without a list, a call cannot be judged.
    badRuns <= unvalidated &&
    operations === sent &&
    judged + unvalidated === operations
  );
}

/** Sends calls through three proxies, each of whose servers is restarted seven times meanwhile. */
export async function soakRestarts(calls: number): Promise<readonly RestartSums[]> {
  const built = await buildCommand({ folder: PROXY, entry: "src/cli.ts" });
  const cli = join(built.folder, "cli.js");
  try {
    return await Promise.all(
      Object.entries(PROXIES).map(async ([name, way]) => soakOne(name, way, cli, calls)),
    );
  } finally {
    built.remove();
  }
}

async function soakOne(name: string, way: Way, cli: string, calls: number): Promise<RestartSums> {
  const server = await startServer(way);
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const args = ["--upstream", server.url, "--port", `${port}`, "--metrics-port", `${metricsPort}`];
  const child = spawn(process.execPath, [cli, ...args, "--log-level", "silent", ...way.flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TOOLCONTRACT_CONFIG: "off" },
  });
  try {
    await once(child.stderr, "data");
    child.stderr.resume();
    const url = `http://127.0.0.1:${port}/mcp`;
    const client = createClient(url, way);
    const perLane = Math.ceil(calls / LANES);
    const restarting = Math.ceil((perLane * LANES) / (RESTARTS + 1));
    let next = restarting;
    let restarted: Promise<void> = Promise.resolve();
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        for (let at = 0; at < perLane; at += 1) {
          await client.call(lane);
          if (client.seen.sent < next) continue;
          next += restarting;
          restarted = restarted.then(async () => server.restart());
        }
      }),
    );
    await restarted;
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return {
      name,
      ...client.seen,
      ...server.seen,
      operations: sumOf(metrics, "mcp_server_operation_duration_seconds_count"),
      judged: sumOf(metrics, "toolcontract_calls_total"),
      unvalidated: sumOf(metrics, "toolcontract_unvalidated_calls_total"),
    };
  } finally {
    await end(child);
    server.close();
  }
}

function sumOf(metrics: string, name: string): number {
  const lines = metrics.matchAll(new RegExp(`^${name}(?:\\{[^\\n]*\\})? (\\d+)$`, "gm"));
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function createClient(url: string, { hasSessions }: Way) {
  const seen = { sent: 0, ran: 0, refused: 0, failed: 0, wrong: 0 };
  const sessions = new Map<number, string>();
  const post = async (message: object, session: string | undefined): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });

  /** Begins a session as clients do, as soon as the server is there. */
  async function begin(lane: number): Promise<string | undefined> {
    const known = sessions.get(lane);
    if (!hasSessions || known !== undefined) return known;
    const answer = await post({ id: 0, method: "initialize", params: { capabilities: {} } }, known);
    await answer.text();
    const session = answer.headers.get("mcp-session-id") ?? undefined;
    if (session !== undefined) sessions.set(lane, session);
    return session;
  }

  async function call(lane: number): Promise<void> {
    const session = await begin(lane);
    seen.sent += 1;
    const id = seen.sent;
    const isBad = id % BAD === 0;
    const params = { name: "echo", arguments: { n: isBad ? "bad" : id } };
    const answer = await post({ id, method: "tools/call", params }, session);
    const text = await answer.text();
    if (answer.status === 404) sessions.delete(lane);
    if (text.includes("VAL-0")) seen.refused += 1;
    else if (text.includes(`"ran ${isBad ? "bad" : id}"`)) seen.ran += 1;
    else seen.failed += 1;
    if (/"ran (\w+)"/.test(text) && !text.includes(`"ran ${isBad ? "bad" : id}"`)) seen.wrong += 1;
  }
  return { seen, call };
}

const ECHO = {
  name: "echo",
  inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};

interface Received {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly n?: unknown } };
}

/** A server that forgets its sessions when it is restarted. */
async function startServer({ isStream, hasSessions }: Way) {
  const seen = { runs: 0, badRuns: 0 };
  let sessions = new Set<string>();
  let count = 0;
  let server: Server;

  function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { id, method, params } = JSON.parse(text) as Received;
    const session = request.headers["mcp-session-id"];
    const isKnown = !hasSessions || method === "initialize" || sessions.has(String(session));
    if (!isKnown) return void response.writeHead(404).end();
    const begun = `session-${(count += 1)}`;
    if (hasSessions && method === "initialize") sessions.add(begun);
    const n = params?.arguments?.n;
    if (method === "tools/call") {
      seen.runs += 1;
      if (typeof n !== "number") seen.badRuns += 1;
    }
    const content = [{ type: "text", text: `ran ${String(n)}` }];
    const result = method === "tools/list" ? { tools: [ECHO] } : { content };
    const message = JSON.stringify({ jsonrpc: "2.0", id, result });
    const isEvents = isStream && method === "tools/call";
    response.writeHead(200, {
      "content-type": isEvents ? "text/event-stream" : "application/json",
      ...(hasSessions && method === "initialize" && { "mcp-session-id": begun }),
    });
    response.end(isEvents ? `data: ${message}\n\n` : message);
  }
  async function listen(port: number): Promise<number> {
    sessions = new Set();
    server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        answer(request, response, Buffer.concat(chunks).toString());
      })().catch(() => undefined);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }
  function close(): void {
    server.closeAllConnections();
    server.close();
  }
  const port = await listen(0);
  return {
    seen,
    url: `http://127.0.0.1:${port}/mcp`,
    close,
    async restart(): Promise<void> {
      close();
      await new Promise((resolve) => {
        setTimeout(resolve, AWAY_MS);
      });
      await listen(port);
    },
  };
}

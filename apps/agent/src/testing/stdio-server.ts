// A small MCP server over stdio for tests: it reports what happens to it, and misbehaves on demand.
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Behaviour, ServerEvent } from "./watched-servers.ts";

const { name, port, tools, isSilent, isStubborn } = JSON.parse(process.argv[2] ?? "") as Behaviour;

const TOOLS: Readonly<Record<string, object>> = {
  echo: { properties: { text: { type: "string" } }, required: ["text"] },
  repeat: { properties: { text: { type: "string" }, times: { type: "integer" } } },
  step: { properties: { text: { type: "string" } } },
  hang: {},
  // An invalid pattern and an invalid type.
  odd: { properties: { text: { type: "string", pattern: "(" } } },
  broken: { properties: { q: { type: 12 } } },
};

const test = connect(port, "127.0.0.1");
test.unref();
const tell = (event: ServerEvent["event"]): void => {
  test.write(`${JSON.stringify({ name, pid: process.pid, event })}\n`);
};
const answer = (id: unknown, result: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
};

tell("started");
tell(`secret: ${process.env["SECRET"]}`);
process.on("SIGTERM", () => {
  tell("SIGTERM");
  if (isStubborn !== true) process.exit(0);
});
// The terminal's Ctrl-C must not reach it.
process.on("SIGINT", () => tell("SIGINT"));

const input = createInterface({ input: process.stdin });
input.on("line", (line) => void receive(JSON.parse(line) as Message));
input.on("close", () => {
  tell("end of input");
  if (isStubborn === true) setInterval(() => undefined, 60_000);
  else process.exit(0);
});

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}

async function receive({ id, method, params = {} }: Message): Promise<void> {
  if (method === "initialize") {
    tell("initialize");
    if (isSilent === true) return;
    const { protocolVersion } = params;
    answer(id, {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name, version: "1" },
    });
  } else if (method === "tools/list") {
    tell("tools/list");
    const listed = tools.map((tool) => {
      return { name: tool, inputSchema: { type: "object", ...TOOLS[tool] } };
    });
    answer(id, { tools: listed });
  } else if (method === "tools/call") {
    const text = await run(params.name, params.arguments ?? {});
    answer(id, { content: [{ type: "text", text }] });
  }
}

async function run(
  tool: string | undefined,
  { text = "", times = 0 }: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (tool === "hang") {
    tell("hang");
    // Never, but the process stays.
    await new Promise(() => setInterval(() => undefined, 60_000));
  }
  if (tool === "step") {
    tell(`begin ${String(text)}`);
    await sleep(50);
    tell(`end ${String(text)}`);
  }
  return tool === "repeat" ? String(text).repeat(Number(times)) : `${name}: ${String(text)}`;
}

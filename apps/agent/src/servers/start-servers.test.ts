import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { type Servers, startServers, type StartParts } from "./index.ts";
import type { ServersConfig } from "./server-config.ts";

const require = createRequire(import.meta.url);

type Config = ServersConfig["mcpServers"][string];

/** A server from npm. */
function npm(name: string, ...args: readonly string[]): Config {
  const main = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  return { command: process.execPath, args: [main, ...args] };
}

/** A server that is a program of Node. */
function program(code: string): Config {
  return { command: process.execPath, args: ["-e", code] };
}

interface Started {
  readonly servers: Servers;
  readonly states: readonly string[];
  readonly warnings: readonly string[];
}

async function start(
  mcpServers: ServersConfig["mcpServers"],
  parts: Partial<StartParts> = {},
): Promise<Started> {
  const states: string[] = [];
  const warnings: string[] = [];
  const servers = await startServers(
    { mcpServers, options: {}, headersOf: () => ({}) },
    {
      signal: new AbortController().signal,
      cwd: import.meta.dirname,
      warn: (line) => warnings.push(line),
      onState: (server, state) => states.push(`${server} ${state}`),
      ...parts,
    },
  );
  return { servers, states, warnings };
}

async function failureOf(mcpServers: ServersConfig["mcpServers"]): Promise<unknown> {
  return start(mcpServers).then(
    ({ servers }) => servers.close().then(() => "started"),
    (thrown: unknown) => thrown,
  );
}

async function call({ tools }: Servers, name: string, input: object): Promise<unknown> {
  return tools[name]?.execute?.(input, { toolCallId: "c", messages: [], context: {} } as never);
}

test("servers from npm are started together, and their tools are one set", async () => {
  const { servers, states, warnings } = await start({
    everything: { ...npm("everything"), toolTimeout: 5_000, queue: "slow" },
    files: npm("filesystem", import.meta.dirname),
  });
  expect(states.toSorted()).toEqual([
    "everything ready",
    "everything starting",
    "files ready",
    "files starting",
  ]);
  expect(warnings).toEqual([]);
  expect(Object.keys(servers.tools)).toEqual(expect.arrayContaining(["echo", "read_text_file"]));
  expect([
    servers.serverOf("echo"),
    servers.serverOf("read_text_file"),
    servers.serverOf("x"),
  ]).toEqual(["everything", "files", undefined]);
  expect(servers.limits.toolTimeout("echo")).toBe(5_000);
  expect(servers.limits.toolTimeout("read_text_file")).toBeUndefined();
  expect(servers.limits.queueOf["echo"]).toBe("slow");
  expect(await call(servers, "echo", { message: "hi" })).toEqual({
    content: [{ type: "text", text: "Echo: hi" }],
  });
  expect(JSON.stringify(await call(servers, "echo", { mesage: "hi" }))).toContain(
    "/message (VAL-001)",
  );
  await servers.close();
});

describe("servers that do not start", () => {
  test("are named together, each with its reason and its last lines, without secrets", async () => {
    expect(
      await failureOf({
        missing: { command: "no-such-command", args: [] },
        ends: program('console.error("no key\\npassword=hunter2"); process.exit(7)'),
        folder: { command: process.execPath, args: [], cwd: "/no/such/folder" },
        works: npm("everything"),
      }),
    ).toMatchObject({
      category: "not-started",
      message: [
        'MCP server "missing" did not start: command "no-such-command" was not found.',
        'MCP server "ends" did not start: it exited with code 7. Its last lines:',
        "  no key",
        "  password=[redacted]",
        'MCP server "folder" did not start: its cwd /no/such/folder does not exist.',
      ].join("\n"),
    });
  });
});

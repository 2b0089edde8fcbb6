import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import { addServerForPeers } from "../testing/messages.ts";
import { proxyCommand } from "../testing/proxy-process.ts";

const BIN = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const INFO = { name: "test", version: "1" };
const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
const SUMS = join(folder, "server.cjs");
writeFileSync(SUMS, addServerForPeers());

/** Official servers, with a call that each refuses or mistakes, and one that it serves. */
const SERVERS = [
  ["everything", [], "get-sum", { a: "one", b: 2 }, { a: 1, b: 2 }],
  ["filesystem", [folder], "list_directory", { pth: folder }, { path: folder }],
  ["memory", [], "create_entities", { entities: [{ name: "x" }] }, { entities: [] }],
  [
    ...(["sequential-thinking", [], "sequentialthinking"] as const),
    { thought: 1 },
    { thought: "x", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
  ],
] as const;

function serverCommand(name: string, args: readonly string[]): { command: string; args: string[] } {
  return proxyCommand(["--log-level", "silent", "--", `${BIN}mcp-server-${name}`, ...args]);
}

async function connectV1(command: { command: string; args: string[] }): Promise<ClientV1> {
  const client = new ClientV1(INFO);
  const env = { ...process.env, MEMORY_FILE_PATH: join(folder, "memory") } as Record<
    string,
    string
  >;
  await client.connect(new TransportV1({ ...command, env, stderr: "ignore" }));
  return client;
}

async function connectV2(command: { command: string; args: string[] }): Promise<ClientV2> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
  const env = { ...process.env, MEMORY_FILE_PATH: join(folder, "memory") } as Record<
    string,
    string
  >;
  await client.connect(new TransportV2({ ...command, env, stderr: "ignore" }));
  return client;
}

describe.each([
  ["SDK 1", connectV1, SERVERS],
  // It starts each server twice, the first time to ask for its protocol.
  ["SDK 2", connectV2, SERVERS.slice(0, 1)],
] as const)("the official client of %s", (_, connect, servers) => {
  test.concurrent.each(servers)(
    "works with server-%s: a bad call is explained, a good one runs",
    async (name, args, tool, bad, good) => {
      const client = await connect(serverCommand(name, args));
      try {
        const { tools } = await client.listTools();
        expect(tools.map((one) => one.name)).toContain(tool);
        const refused = await client.callTool({ name: tool, arguments: bad });
        expect(refused.isError).toBe(true);
        const [first] = refused.content as readonly { readonly text: string }[];
        expect(first?.text).toMatch(/^Validation failed for tool '.*' \(attempt 1\/3\):/);
        expect((await client.callTool({ name: tool, arguments: good })).isError).not.toBe(true);
      } finally {
        await client.close();
      }
    },
  );
});

test("the Inspector's command line works through the relay", async () => {
  // The Inspector is what is real here, and it starts the server more than once.
  const { command, args } = proxyCommand(["--log-level", "silent", "--", process.execPath, SUMS]);
  const call = ["--method", "tools/call", "--tool-name", "add", "--tool-args-json"];
  const inspect = async (json: string): Promise<{ stdout: string; code: number }> =>
    promisify(execFile)(`${BIN}mcp-inspector`, [
      "--cli",
      ...call,
      json,
      "--format",
      "json",
      "-q",
      "--protocol-era",
      "auto",
      "--",
      command,
      ...args,
    ]).then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (failure: unknown) => failure as { stdout: string; code: number },
    );
  const [good, bad] = await Promise.all([inspect('{"a":1,"b":2}'), inspect('{"a":"one"}')]);
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('"3"') });
  expect(bad).toMatchObject({ code: 5, stdout: expect.stringContaining("(attempt 1/3)") });
});

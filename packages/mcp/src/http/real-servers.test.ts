import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@toolcontract/free-port";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { isWhole } from "@toolcontract/case-table/whole";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { addServerForPeers } from "../testing/messages.ts";
import { proxyCommand } from "../testing/proxy-process.ts";

const BIN = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const INFO = { name: "test", version: "1" };

const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
let gateway: ChildProcess | undefined;
let url = "";

/** A peer that puts a stdio server on HTTP, with our relay around that server. */
beforeAll(async () => {
  const port = await freePort();
  // The peers are what is real here, and they start the server for each session.
  const server = join(folder, "server.cjs");
  writeFileSync(server, addServerForPeers());
  const { command, args } = proxyCommand(["--max-attempts", "2", "--", process.execPath, server]);
  gateway = spawn(
    `${BIN}supergateway`,
    [
      "--stdio",
      [command, ...args].join(" "),
      "--stateful",
      "--port",
      String(port),
      "--outputTransport",
      "streamableHttp",
      "--logLevel",
      "info",
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  url = `http://127.0.0.1:${port}/mcp`;
  const { stdout } = gateway;
  await new Promise<void>((resolve) => {
    // To its end: it must not find its output closed.
    stdout?.on("data", (chunk: Buffer) => {
      if (chunk.includes("istening on")) resolve();
    });
  });
});

afterAll(async () => {
  if (!gateway) return;
  gateway.kill("SIGTERM");
  await once(gateway, "exit");
});
afterEach(closePairs);

interface AnyClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
}

async function expectGuarded(client: AnyClient, attempts: number): Promise<void> {
  const bad = await client.callTool({ name: "add", arguments: { a: "one" } });
  expect(bad).toMatchObject({ isError: true });
  expect(JSON.stringify(bad)).toContain(`(attempt 1/${attempts})`);
  const good = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  expect(good).toMatchObject({ content: [{ text: "3" }] });
}

test("our relay inside supergateway guards the server", async () => {
  const client = new ClientV1(INFO);
  await client.connect(new TransportV1(new URL(url)));
  await expectGuarded(client, 2);
  await client.close();
});

describe("our proxy in front of supergateway guards it", () => {
  test.runIf(isWhole)("for the client of SDK 1", async () => {
    const proxy = await startOn(new URL(url));
    const client = new ClientV1(INFO);
    await client.connect(new TransportV1(new URL(`http://127.0.0.1:${proxy.port}/mcp`)));
    await expectGuarded(client, 3);
    await client.close();
  });

  test("for the client of SDK 2", async () => {
    const proxy = await startOn(new URL(url));
    const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new TransportV2(new URL(`http://127.0.0.1:${proxy.port}/mcp`)));
    await expectGuarded(client, 3);
    await client.close();
  });
});

test("our relay around mcp-remote guards the remote server", async () => {
  const command = proxyCommand(["--log-level", "silent", "--", `${BIN}mcp-remote`, url]);
  const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: folder } as Record<string, string>;
  const client = new ClientV1(INFO);
  await client.connect(new StdioClientTransport({ ...command, env, stderr: "ignore" }));
  await expectGuarded(client, 3);
  await client.close();
});

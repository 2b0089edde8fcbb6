import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { oneInThree } from "@toolcontract/case-table/whole";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createGate, type Gate } from "../gate/index.ts";
import { connected, type Connected } from "../testing/sdk-servers.ts";
import { INFO } from "../testing/test-servers.ts";
import { gateTransport } from "./gate-transport.ts";

const { resolve } = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "gate-transport-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const closing: Connected[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map(async (client) => client.close()));
});

interface Opened {
  readonly client: Connected;
  readonly transport: StdioV1 | StdioV2;
}

type Open = (gate: Gate, name: string, ...args: readonly string[]) => Promise<Opened>;

const commandOf = (name: string, args: readonly string[]) => ({
  command: process.execPath,
  args: [resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  stderr: "pipe" as const,
});

const openV1: Open = async (gate, name, ...args) => {
  const client = new ClientV1(INFO);
  const transport = gateTransport(new StdioV1(commandOf(name, args)), gate);
  await client.connect(transport);
  return { client: connected(client, () => undefined), transport };
};

const openV2 =
  (mode: "auto" | "legacy"): Open =>
  async (gate, name, ...args) => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    const transport = gateTransport(new StdioV2(commandOf(name, args)), gate);
    await client.connect(transport);
    return { client: connected(client, () => undefined), transport };
  };

describe.each(
  oneInThree<readonly [string, Open]>([
    ["@modelcontextprotocol/sdk 1.x", openV1],
    ["@modelcontextprotocol/client 2.x", openV2("legacy")],
    ["@modelcontextprotocol/client 2.x, negotiating", openV2("auto")],
  ]),
)("real servers over stdio, with %s", (_, open) => {
  test("have their invalid calls answered and their valid ones made, by one gate", async () => {
    const gate = createGate({ logger: false });
    const everything = await open(gate, "everything");
    const files = await open(gate, "filesystem", folder);
    closing.push(everything.client, files.client);
    const sent = await Promise.all([
      everything.client.call("echo", { mesage: "hi" }),
      files.client.call("write_file", { path: join(folder, "a.txt"), contnt: "a" }),
      everything.client.call("echo", { message: "hi" }),
      files.client.call("write_file", { path: join(folder, "a.txt"), content: "a" }),
    ]);
    expect(sent.map(({ isError = false, content: [part] }) => [isError, part?.text])).toEqual([
      [true, expect.stringContaining('rename "mesage" to "message"')],
      [true, expect.stringContaining('rename "contnt" to "content"')],
      [false, "Echo: hi"],
      [false, expect.stringContaining("Successfully wrote")],
    ]);
    expect(gate.unvalidated()).toEqual([]);
  });

  test("have their own rejections rewritten, and keep the members of their transports", async () => {
    const gate = createGate({ logger: false, mode: "assist" });
    const { client, transport } = await open(gate, "everything");
    expect(transport.pid).toBeGreaterThan(0);
    expect(transport.stderr).not.toBeNull();
    const { isError, content } = await client.call("get-sum", { a: "one", b: 2 });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain(
      "• /a (VAL-002): Type mismatch: expected number, got string",
    );
    await client.close();
    expect(transport.pid).toBeNull();
  });
});

import { Client as ClientV2, InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { INFO } from "../testing/test-servers.ts";
import { withContract, type WithContractOptions } from "./with-contract.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map(async (close) => close()));
});

/** What the tool does until it is cancelled, and after. */
type Tool = (signal: AbortSignal) => Promise<{ content: { type: "text"; text: string }[] }>;

async function connectV1(tool: Tool, options: WithContractOptions): Promise<ClientV1> {
  const server = new McpServerV1(INFO);
  server.registerTool("work", {}, async ({ signal }) => tool(signal));
  const [near, far] = MemoryV1.createLinkedPair();
  const client = new ClientV1(INFO);
  await Promise.all([withContract(server, options).connect(far), client.connect(near)]);
  closing.push(async () => client.close());
  return client;
}

async function connectV2(tool: Tool, options: WithContractOptions): Promise<ClientV1> {
  const server = new McpServerV2(INFO);
  server.registerTool("work", {}, async ({ mcpReq }) => tool(mcpReq.signal));
  const [near, far] = MemoryV2.createLinkedPair();
  const client = new ClientV2(INFO);
  await Promise.all([withContract(server, options).connect(far), client.connect(near)]);
  closing.push(async () => client.close());
  return client as unknown as ClientV1;
}

const silent = { logger: () => undefined };
const work = { name: "work", arguments: {} };
const textResult = (text: string): { content: { type: "text"; text: string }[] } => ({
  content: [{ type: "text", text }],
});

describe.each([
  ["version 1", connectV1],
  ["version 2", connectV2],
])("withContract on %s", (_, connect) => {
  test("a call over its time is answered, and the tool's signal fires", async () => {
    const seen = vi.fn<() => void>();
    const tool: Tool = async (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          seen();
          resolve(textResult("late"));
        });
      });
    const client = await connect(tool, { ...silent, toolTimeout: 50 });
    const result = await client.callTool(work);
    expect(result).toMatchObject({ isError: true, ...textResult("(tool failed: timeout)") });
    expect(seen).toHaveBeenCalledOnce();
  });

  test("a result over its limit is cut", async () => {
    const tool: Tool = async () => textResult("0123456789");
    const client = await connect(tool, { ...silent, toolResponseMaxBytes: 4 });
    expect(await client.callTool(work)).toMatchObject(
      textResult("[TRUNCATED] Original size 10 bytes; truncated to 4 bytes.\n0123"),
    );
  });

  test("calls run one after the other", async () => {
    let [running, peak] = [0, 0];
    const tool: Tool = async () => {
      peak = Math.max(peak, (running += 1));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      running -= 1;
      return textResult("done");
    };
    const client = await connect(tool, { ...silent, queues: { default: { concurrent: 1 } } });
    const calls = Array.from({ length: 5 }, async () => client.callTool(work));
    expect(await Promise.all(calls)).toHaveLength(5);
    expect(peak).toBe(1);
  });
});

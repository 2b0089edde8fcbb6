import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type Result, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { oneInThree } from "@toolcontract/case-table/whole";
import { afterAll, describe, expect, test } from "vitest";
import { mutateArguments, type MutatedCall, sampleArguments } from "../testing/mutated-calls.ts";
import { isRecord } from "../wire/index.ts";
import { createGate, type Gate } from "./gate.ts";
import type { Link } from "./link.ts";

const BATCH = 50;
const resolve = createRequire(import.meta.url).resolve;
const folder = mkdtempSync(join(tmpdir(), "toolcontract-mcp-"));
writeFileSync(join(folder, "notes.txt"), "milk\neggs\n");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tools that cannot be asked a thousand times in a test. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "gzip-file-as-resource": "fetches from the network if its data is left out",
  "trigger-long-running-operation": "sleeps for as long as its arguments say",
  "simulate-research-query": "can only be called as a task",
};

/**
 * What the gate refuses although the server takes it: sequential-thinking makes a number of whatever JavaScript's
 * Number() makes one of. No model sends true or a list for a number, and FastMCP's servers refuse them as well.
 */
const JUSTIFIED = /^sequentialthinking \/\w+ = (?:true|\["?1"?\])$/;

/** Its schema takes any string for a boolean, so a string that the server refuses is valid here. */
const VALID_HERE = /^sequentialthinking \/\w+ = "(?:1|1\.5|x)?"$/;

interface Measured {
  readonly call: string;
  readonly isRefusedHere: boolean;
  readonly isAccepted: boolean;
  /** Whether the client reads our message in place of the server's. */
  readonly isReworded: boolean;
}

describe.each(
  oneInThree([
    ["everything", [], { accepted: 50, refusedHere: 154, refusedThere: 45, falsely: 0 }],
    ["filesystem", [folder], { accepted: 220, refusedHere: 360, refusedThere: 151, falsely: 0 }],
    ["memory", [], { accepted: 161, refusedHere: 424, refusedThere: 110, falsely: 0 }],
    ["sequential-thinking", [], { accepted: 66, refusedHere: 89, refusedThere: 40, falsely: 12 }],
  ] as const),
)("server-%s", (name, args, expected) => {
  test("accepts no call that the gate refuses, except for the few listed", async () => {
    const measured = await measure(name, args);
    const falsely = measured.filter((one) => one.isRefusedHere && one.isAccepted);
    expect(falsely.filter(({ call }) => !JUSTIFIED.test(call))).toEqual([]);
    const invalid = measured.filter(({ isAccepted }) => !isAccepted);
    const caught = invalid.filter(({ isRefusedHere }) => isRefusedHere);
    const unread = invalid.filter((one) => !one.isRefusedHere && !one.isReworded);
    expect(unread.filter(({ call }) => !VALID_HERE.test(call))).toEqual([]);
    expect({
      accepted: measured.length - invalid.length,
      refusedHere: caught.length,
      refusedThere: invalid.length - caught.length,
      falsely: falsely.length,
    }).toEqual(expected);
  });
});

async function measure(name: string, args: readonly string[]): Promise<readonly Measured[]> {
  const root = dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`));
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, "dist", "index.js"), ...args],
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
      cwd: folder,
      stderr: "ignore",
    }),
  );
  try {
    const { tools } = await client.listTools();
    const gate = createGate({ logger: () => undefined });
    const link: Link = { attemptKey: "test", listKey: "", listTools: async () => ({ tools }) };
    const used = tools.filter((tool) => !Object.hasOwn(LEFT_OUT, tool.name));
    const calls = used.flatMap((tool) =>
      mutateArguments(sampleArguments(tool.inputSchema)).map((one) => ({
        ...one,
        tool: tool.name,
      })),
    );
    const measured: Measured[] = [];
    for (let start = 0; start < calls.length; start += BATCH) {
      const batch = calls.slice(start, start + BATCH);
      const measuring = batch.map(async (call, index) =>
        measureCall(call, start + index, client, gate, link),
      );
      measured.push(...(await Promise.all(measuring)));
    }
    return measured;
  } finally {
    await client.close();
  }
}

async function measureCall(
  { tool, change, args }: MutatedCall & { readonly tool: string },
  id: number,
  client: Client,
  gate: Gate,
  link: Link,
): Promise<Measured> {
  const params = { name: tool, arguments: args };
  const ruling = await gate.fromClient({ jsonrpc: "2.0", id, method: "tools/call", params }, link);
  const answer = await ask(client, params);
  const reworded = await gate.fromServer({ jsonrpc: "2.0", id, ...answer }, link);
  const isRefusedHere = ruling.kind === "answer";
  return {
    call: `${tool} ${change}`,
    isRefusedHere,
    isAccepted: !isRefusal(answer),
    isReworded: reworded !== undefined,
  };
}

type Answer = { readonly result: Result } | { readonly error: { readonly code: number } };

async function ask(
  client: Client,
  params: { readonly name: string; readonly arguments: unknown },
): Promise<Answer> {
  try {
    const request = { method: "tools/call", params: params as Record<string, unknown> };
    return { result: await client.request(request, ResultSchema) };
  } catch (error) {
    return { error: { code: (error as { readonly code: number }).code } };
  }
}

/** Whether the server's own validation refused the call; a tool that failed afterwards took it. */
function isRefusal(answer: Answer): boolean {
  if ("error" in answer) return true;
  const { isError, content } = answer.result as { readonly isError?: boolean; content?: unknown };
  const [part] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const text = isRecord(part) ? String(part["text"]) : "";
  return isError === true && text.startsWith("MCP error -32602: Input validation error");
}

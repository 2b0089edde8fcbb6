import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { loadLab } from "./testing/langchain.ts";
import { attemptsOf } from "./testing/read-messages.ts";
import { runAgent } from "./testing/run-agent.ts";

const lab = await loadLab("newest");
const server = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"),
);

let folder: string;
let client: MultiServerMCPClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolcontract-"));
  await writeFile(join(folder, "notes.txt"), "Buy milk");
  const files = { command: process.execPath, args: [server, folder], transport: "stdio" as const };
  client = new MultiServerMCPClient({ mcpServers: { files } });
});

afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

describe("MCP tools of a real server", () => {
  const call = (id: string, args: object) => ({
    calls: [{ id, name: "read_text_file", args: JSON.stringify(args) }],
  });

  test("an invalid call is answered and never reaches the server; a valid one does", async () => {
    const tools = await client.getTools();
    const path = join(folder, "notes.txt");
    const turns = [call("a", { path, head: "three" }), call("b", { path, head: 3 })];
    const before = await runAgent(lab, { turns, tools, agent: { middleware: [] } });
    expect(before.results.map(textOfMessage)[0]).toContain("did not match expected schema");
    expect(before.results.map(textOfMessage)[0]).not.toMatch(/head.*number/);
    const { results, last } = await runAgent(lab, { turns, tools });
    expect(attemptsOf(results)).toEqual(["1/3", undefined]);
    expect(results.map(textOfMessage)[0]).toContain("/head (VAL-002)");
    expect(results.map(textOfMessage)[1]).toContain("Buy milk");
    expect(last).toBe("Done.");
  });

  test("an error that the server reports reads as it does without the contract", async () => {
    const tools = await client.getTools();
    const run = { turns: [call("a", { path: "/outside.txt" })], tools };
    const before = await runAgent(lab, { ...run, agent: { middleware: [] } });
    const after = await runAgent(lab, run);
    expect(after.results.map(textOfMessage)).toEqual(before.results.map(textOfMessage));
    expect(after.results[0]?.status).toBe("error");
  });
});

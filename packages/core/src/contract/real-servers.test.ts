import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "@toolcontract/explain";
import type { ToolDefinition } from "../shared/index.ts";
import { createContract } from "./create-contract.ts";

// A real server whose schemas are as bad as they get: references, unions without tags, with tags that are
// not required, and open objects that overlap.
const PAGE = "123e4567-e89b-42d3-a456-426614174000";

const client = new Client({ name: "toolcontract-tests", version: "0.0.0" });
let tools: readonly ToolDefinition[] = [];

beforeAll(async () => {
  const manifest = fileURLToPath(import.meta.resolve("@notionhq/notion-mcp-server/package.json"));
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> };
  const args = [join(dirname(manifest), Object.values(bin)[0] ?? "")];
  const env = { PATH: process.env["PATH"] ?? "", NOTION_TOKEN: "none" };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
  );
  const listed = await client.listTools();
  tools = listed.tools.map(({ name, inputSchema }) => ({
    name,
    inputSchema: inputSchema as JsonSchema,
  }));
});

afterAll(async () => client.close());

async function answer(name: string, args: unknown): Promise<readonly string[]> {
  const contract = createContract({ format: { style: "compact" }, logger: () => undefined });
  const call = { id: "call_1", name, arguments: JSON.stringify(args) };
  const admission = await contract.admit(call, { conversationId: "c", tools });
  if (admission.status === "admitted") return ["admitted"];
  return admission.result.content.split("\n").filter((line) => line.startsWith("- "));
}

const uuid = "uuid string";

describe("unions of a real MCP server", () => {
  test.each([
    {
      title: "the branch whose key was sent",
      name: "API-post-page",
      args: { parent: { page_id: "home" }, properties: {} },
      lines: [`- /parent/page_id (VAL-010): "home"; expected ${uuid}; as page_id variant`],
    },
    {
      title: "an untagged branch beside tagged ones",
      name: "API-post-page",
      args: { parent: { type: "page_id", page_id: 5 }, properties: {} },
      lines: [`- /parent/page_id (VAL-002): 5; expected ${uuid}; as page_id variant`],
    },
    {
      title: "a wrong tag that is not required",
      name: "API-post-page",
      args: { parent: { type: "database", database_id: PAGE }, properties: {} },
      lines: [
        '- /parent/type (VAL-008): "database"; expected "database_id"; use "database_id"; as database_id variant',
      ],
    },
    {
      title: "a key that no branch knows",
      name: "API-post-page",
      args: { parent: { workspace: "x" }, properties: {} },
      lines: [
        '- /parent (VAL-013): {"workspace": "x"}; expected object with page_id, or with database_id, or with type',
      ],
    },
    {
      title: "no object at all",
      name: "API-post-page",
      args: { parent: 5, properties: {} },
      lines: [
        '- /parent (VAL-002): 5; expected object with page_id or object with database_id or object with type "workspace" or string',
      ],
    },
    {
      title: "a required tag left out",
      name: "API-move-page",
      args: { page_id: PAGE, parent: { page_id: PAGE } },
      lines: [
        '- /parent/type (VAL-001): missing; expected one of "page_id", "database_id", "workspace"; use "page_id"',
      ],
    },
    {
      title: "a near tag",
      name: "API-move-page",
      args: { page_id: PAGE, parent: { type: "page", page_id: PAGE } },
      lines: [
        '- /parent/type (VAL-008): "page"; expected one of "page_id", "database_id", "workspace"; use "page_id"',
      ],
    },
    {
      title: "a valid call",
      name: "API-post-page",
      args: { parent: { page_id: PAGE }, properties: {} },
      lines: ["admitted"],
    },
  ])("$title", async ({ name, args, lines }) => {
    expect(await answer(name, args)).toEqual(lines);
  });

  test("no schema of the server fails to compile", () => {
    const warnings: unknown[] = [];
    const contract = createContract({ logger: (fields) => warnings.push(fields) });
    for (const tool of tools) contract.check(tool, "{}");
    expect(tools.length).toBeGreaterThan(10);
    expect(warnings).toEqual([]);
  });

  test("the answer to an empty call stays short: one line per field", async () => {
    for (const tool of tools) {
      for (const line of await answer(tool.name, {})) expect(line.length).toBeLessThan(240);
    }
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { parseRejection } from "@toolcontract/core";
import type { ToolSet } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeVersions, outputOf, steps, textOf } from "./testing/every-sdk.ts";

const SERVER = import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const quiet = { logger: () => undefined };
const call = (id: string, name: string, input: object) => ({
  calls: [{ id, name, input: JSON.stringify(input) }],
});

let folder: string;
let client: Awaited<ReturnType<typeof createMCPClient>>;
let tools: ToolSet;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolcontract-"));
  await writeFile(join(folder, "notes.txt"), "Buy milk");
  const args = [fileURLToPath(SERVER), folder];
  const transport = new StdioTransport({
    command: process.execPath,
    args,
    cwd: folder,
    stderr: "ignore",
  });
  client = await createMCPClient({ transport });
  tools = await client.tools();
});

afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

describeVersions(
  (sdk) => {
    for (const mode of ["generateText", "streamText"] as const) {
      test(`${mode}: an invalid call never reaches the server, a valid one does`, async () => {
        const path = join(folder, "notes.txt");
        const model = sdk.script([
          call("call_1", "read_text_file", { path, head: "three" }),
          call("call_2", "read_text_file", { path, head: 3 }),
          { text: "Milk." },
        ]);
        const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(8) });
        const { messages, text } = await sdk.run(mode, { model, settings });
        expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
          { errorCode: "VAL-002", fieldPath: "/head" },
        ]);
        expect(JSON.stringify(outputOf(messages, "call_2"))).toContain("Buy milk");
        expect(text).toBe("Milk.");
      });

      test(`${mode}: a failure that the server reports keeps its error flag on the way to the model`, async () => {
        const model = sdk.script([call("call_1", "read_text_file", { path: "/outside.txt" })]);
        const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(1) });
        const { messages } = await sdk.run(mode, { model, settings });
        expect(outputOf(messages, "call_1")).toMatchObject({
          type: "error-text",
          value: expect.stringContaining("Access denied"),
        });
      });

      test(`${mode}: the keyword that the client adds to every schema refuses no field`, async () => {
        const path = join(folder, "notes.txt");
        const model = sdk.script([call("call_1", "read_text_file", { path, reason: "to see" })]);
        const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(1) });
        const { messages } = await sdk.run(mode, { model, settings });
        expect(JSON.stringify(outputOf(messages, "call_1"))).toContain("Buy milk");
      });
    }
  },
  [7, 6],
);

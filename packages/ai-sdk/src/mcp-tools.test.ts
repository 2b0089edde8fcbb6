import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRejection } from "@toolcontract/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { withModelOutput } from "./guarded-tool.ts";
import { describeModes } from "./testing/both-ends.ts";
import { outputOf, steps, textOf } from "./testing/describe-on.ts";
import { type FilesystemTools, openFilesystemTools } from "./testing/filesystem-tools.ts";
import { quiet } from "./testing/travel.ts";

const call = (id: string, name: string, input: object) => ({
  calls: [{ id, name, input: JSON.stringify(input) }],
});

let folder: string;
const opened = new Map<number, FilesystemTools>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolcontract-"));
  await writeFile(join(folder, "notes.txt"), "Buy milk");
  for (const version of [7, 6, 5] as const)
    opened.set(version, await openFilesystemTools(version, folder));
});

afterAll(async () => {
  for (const server of opened.values()) await server.close();
  await rm(folder, { recursive: true });
});

describeModes((sdk, mode) => {
  const toolsOf = () => opened.get(sdk.version)!.tools;

  test("an invalid call never reaches the server, a valid one does", async () => {
    const path = join(folder, "notes.txt");
    const model = sdk.script([
      call("call_1", "read_text_file", { path, head: "three" }),
      call("call_2", "read_text_file", { path, head: 3 }),
      { text: "Milk." },
    ]);
    const settings = sdk.adapter.withContract({ ...quiet, tools: toolsOf(), stopWhen: steps(8) });
    const { messages, text } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
      { errorCode: "VAL-002", fieldPath: "/head" },
    ]);
    expect(JSON.stringify(outputOf(messages, "call_2"))).toContain("Buy milk");
    expect(text).toBe("Milk.");
  });

  test("a failure that the server reports reaches the model with its error flag", async () => {
    const model = sdk.script([call("call_1", "read_text_file", { path: "/outside.txt" })]);
    const settings = sdk.adapter.withContract({ ...quiet, tools: toolsOf(), stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(outputOf(messages, "call_1")).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("Access denied"),
    });
  });

  test("so does one of a tool whose schema the application gave", async () => {
    // As the client makes it: without the type of a discovered tool.
    const { type: _, ...given } = toolsOf()["read_text_file"] as never as Record<string, unknown>;
    const inputSchema = z.object({ path: z.string() });
    const tools = { read_text_file: { ...given, inputSchema } as never };
    const model = sdk.script([call("call_1", "read_text_file", { path: "/outside.txt" })]);
    const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(outputOf(messages, "call_1")).toMatchObject({ type: "error-text" });
  });
});

describeModes(
  (sdk, mode) => {
    test("the keyword that the MCP client adds to every schema does not refuse fields", async () => {
      const path = join(folder, "notes.txt");
      const model = sdk.script([call("call_1", "read_text_file", { path, reason: "to see" })]);
      const settings = sdk.adapter.withContract({
        ...quiet,
        tools: opened.get(sdk.version)!.tools,
        stopWhen: steps(1),
      });
      const { messages } = await sdk.run(mode, { model, settings });
      expect(JSON.stringify(outputOf(messages, "call_1"))).toContain("Buy milk");
    });
  },
  { 5: "the client of version 5 marks its tools in no way, so the keyword counts as the server's" },
);

test.each<[string, readonly object[], RegExp]>([
  [
    "an image",
    [
      { type: "text", text: "Element not found" },
      { type: "image", data: "B".repeat(90_000), mimeType: "image/png" },
    ],
    /^Element not found\n.*1 (?:picture|image)/,
  ],
  ["a link", [{ type: "resource_link", uri: "file:///a", name: "a" }], /file:\/\/\/a/],
  ["nothing", [], /^The tool failed/],
])("a failed result of a server with %s is a short text", async (_, content, value) => {
  const tool = { inputSchema: {}, execute: () => undefined } as never;
  const convert = withModelOutput(tool, () => undefined);
  const output = { content, isError: true };
  const shown = await convert({ toolCallId: "a", input: {}, output });
  expect(shown).toEqual({ type: "error-text", value: expect.stringMatching(value) });
  expect(JSON.stringify(shown).length).toBeLessThan(2_000);
});

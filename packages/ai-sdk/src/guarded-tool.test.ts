import type { ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { withModelOutput } from "./guarded-tool.ts";

const NOTE = "Advisories:\n• /haed (VAL-005): Unknown field 'haed'";
const bare = { inputSchema: {} } as ToolSet[string];
const input = {};

async function read(output: unknown, tool = bare, note?: string): Promise<unknown> {
  const toModelOutput = withModelOutput(tool, () =>
    note === undefined ? undefined : Promise.resolve(note),
  );
  return toModelOutput({ toolCallId: "call_1", input, output });
}

describe("withModelOutput", () => {
  test.each<readonly [unknown, unknown]>([
    ["found", { type: "text", value: "found" }],
    [{ at: new Date(0) }, { type: "json", value: { at: "1970-01-01T00:00:00.000Z" } }],
    [undefined, { type: "json", value: null }],
    [{ isError: true }, { type: "json", value: { isError: true } }],
    [
      { isError: true, content: [{ type: "text", text: "gone" }] },
      { type: "error-text", value: "gone" },
    ],
    [
      { isError: true, content: [] },
      { type: "error-text", value: "The tool failed and gave no reason" },
    ],
    ...[
      {
        isError: true,
        content: [
          { type: "text", text: "gone" },
          { type: "image", data: "…" },
        ],
      },
      { isError: true, content: [null] },
      { isError: true, content: [], structuredContent: { code: 42 } },
      { isError: true, content: [{ type: "text", text: "gone" }], status: 404 },
      { isError: true, content: [{ author: "ana", text: "broken" }] },
    ].map((result) => [result, { type: "error-json", value: result }] as const),
  ])("%j is read as %j", async (output, expected) => {
    expect(await read(output)).toEqual(expected);
  });

  test.each([
    ["found", { type: "text", value: `found\n\n${NOTE}` }],
    [{ id: 7 }, { type: "text", value: `{"id":7}\n\n${NOTE}` }],
  ])("a note follows %j", async (output, expected) => {
    expect(await read(output, bare, NOTE)).toEqual(expected);
    expect(await read(output, bare, "")).toEqual(await read(output));
  });

  test.each([
    ["a local tool", {}, { type: "text", value: "polished" }],
    ["an MCP tool", { type: "dynamic", _meta: {} }, { type: "error-text", value: "gone" }],
  ])("the failure of %s with a conversion of its own", async (_, kind, expected) => {
    const toModelOutput = () => ({ type: "text", value: "polished" });
    const tool = { ...bare, ...kind, toModelOutput } as unknown as ToolSet[string];
    const failed = { isError: true, content: [{ type: "text", text: "gone" }] };
    expect(await read(failed, tool)).toEqual(expected);
  });

  test("a note follows parts, and the tool's own conversion", async () => {
    const content = [{ type: "text", text: "found" }] as const;
    const tool = { ...bare, toModelOutput: () => ({ type: "content", value: [...content] }) };
    expect(await read("found", tool as ToolSet[string], NOTE)).toEqual({
      type: "content",
      value: [...content, { type: "text", text: NOTE }],
    });
  });
});

import type { ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { withModelOutput } from "./model-output.ts";

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
  test.each([
    ["found", { type: "text", value: "found" }],
    [{ at: new Date(0) }, { type: "json", value: { at: "1970-01-01T00:00:00.000Z" } }],
    [undefined, { type: "json", value: null }],
    [{ isError: true }, { type: "json", value: { isError: true } }],
    [
      { isError: true, content: [{ type: "text", text: "gone" }] },
      { type: "error-text", value: "gone" },
    ],
    [
      { isError: true, content: [{ type: "image", data: "…" }, null] },
      { type: "error-text", value: "The tool failed and gave no reason" },
    ],
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

  test("a note follows parts, and the tool's own conversion", async () => {
    const content = [{ type: "text", text: "found" }] as const;
    const tool = { ...bare, toModelOutput: () => ({ type: "content", value: [...content] }) };
    expect(await read("found", tool as ToolSet[string], NOTE)).toEqual({
      type: "content",
      value: [...content, { type: "text", text: NOTE }],
    });
  });
});

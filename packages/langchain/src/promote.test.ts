import type { AIMessage } from "@langchain/core/messages";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/both-ends.ts";
import { codeOf } from "./testing/read-messages.ts";
import { runAgent } from "./testing/run-agent.ts";
import { type ScriptedCall, type Turn, toMessage } from "./testing/scripted-model.ts";
import { spied } from "./testing/tools.ts";

const NOTE = z.object({ id: z.number().optional(), note: z.string().optional() });
const note = (args: string, id = "a"): ScriptedCall => ({ id, name: "add_note", args });

describe.each(LABS)("arguments that langchain $version could not parse", (lab) => {
  const { messages, adapter } = lab;

  // What the model wrote, the reported code, and what ran.
  const rows = [
    ["cut off in a string", '{"id": 12, "note": "hel', "VAL-011", undefined],
    ["cut off in a number", '{"note": "x", "id": 12', "VAL-011", undefined],
    ["single quotes", "{'note': 'hi'}", undefined, { note: "hi" }],
    ["a trailing comma", '{"note": "hi",}', undefined, { note: "hi" }],
    ["a code fence", '```json\n{"note": "hi"}\n```', undefined, { note: "hi" }],
    ["two objects", '{"note": "a"}{"note": "b"}', "VAL-004", undefined],
    ["an array", "[1, 2]", "VAL-002", undefined],
    ["prose", "add a note please", "VAL-004", undefined],
  ] as const;
  describe.each([false, true])("streamed: %s", (streamed) => {
    test.each(rows)("%s", async (_, args, code, ran) => {
      const { tool, runs } = spied(lab, "add_note", NOTE);
      const turns: readonly Turn[] = [{ calls: [note(args)], streamed }];
      const { results, last } = await runAgent(lab, { turns, tools: [tool] });
      expect(codeOf(results[0])).toBe(code);
      expect(runs).toEqual(ran ? [ran] : []);
      expect(last).toBe("Done.");
    });
  });

  test("valid siblings of a call that was cut off run", async () => {
    const { tool, runs } = spied(lab, "add_note", NOTE);
    const calls = [note('{"id": 1}', "a"), note('{"id": 2, "no', "b")];
    const turns: readonly Turn[] = [{ calls, finishReason: "length" }];
    const { results } = await runAgent(lab, { turns, tools: [tool] });
    expect(runs).toEqual([{ id: 1 }]);
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(["a", "b"]);
  });

  test("complete arguments at the end of output that was cut off run if their string is known", async () => {
    const { tool, runs } = spied(lab, "add_note", NOTE);
    for (const streamed of [false, true]) {
      const turns = [{ calls: [note('{"id": 1}')], finishReason: "length", streamed }];
      await runAgent(lab, { turns, tools: [tool] });
    }
    expect(runs).toEqual([{ id: 1 }, { id: 1 }]);
  });

  test("arguments at the end of output that was cut off do not run if their string is unknown", async () => {
    const { tool, runs } = spied(lab, "add_note", NOTE);
    const message = new messages.AIMessage({
      content: "",
      tool_calls: [{ type: "tool_call", id: "a", name: "add_note", args: { id: 1 } }],
      response_metadata: { stop_reason: "max_tokens" },
    });
    const given = [new messages.HumanMessage("Go."), message];
    const answer = await adapter
      .wrapTool(tool, { logger: () => undefined })
      .invoke({ ...message.tool_calls![0]!, type: "tool_call" }, { state: given } as never);
    expect(answer).toMatchObject({ content: expect.stringContaining("VAL-011") as string });
    expect(runs).toEqual([]);
  });

  test("the client's own error, which quotes every value, is dropped", async () => {
    const { tool } = spied(lab, "add_note", NOTE);
    const secret = '{"note": "sk-secret-123", id: }';
    const { messages: left } = await runAgent(lab, {
      turns: [{ calls: [note(secret)] }],
      tools: [tool],
    });
    expect(JSON.stringify(left)).not.toContain("are not valid JSON");
    expect(left.filter((one) => one.getType() === "tool").map(String)).not.toContain("sk-secret");
  });

  test("a message without such calls is returned as the same object", () => {
    const message = toMessage(lab, { calls: [note('{"id": 1}')] });
    expect(adapter.promoteInvalidToolCalls(message)).toBe(message);
    const promoted = adapter.promoteInvalidToolCalls(toMessage(lab, { calls: [note("{")] }));
    expect(adapter.promoteInvalidToolCalls(promoted)).toBe(promoted);
  });

  test("missing ids and names are generated", () => {
    const promoted = adapter.promoteInvalidToolCalls(
      new messages.AIMessage({
        content: "",
        tool_calls: [{ type: "tool_call", name: "look", args: {} }],
        invalid_tool_calls: [{ type: "invalid_tool_call", args: "{" }],
      }),
    );
    const ids = promoted.tool_calls?.map(({ id }) => id) ?? [];
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(promoted.tool_calls?.map(({ name }) => name)).toEqual(["look", "unknown"]);
    expect(promoted.invalid_tool_calls).toMatchObject([{ id: ids[1], args: "{" }]);
  });

  test("standard content blocks are rewritten", () => {
    const promoted = adapter.promoteInvalidToolCalls(
      new messages.AIMessage({
        content: [
          { type: "text", text: "I note it." },
          { type: "invalid_tool_call", id: "a", name: "add_note", args: "{", error: "bad" },
        ] as never,
        invalid_tool_calls: [{ type: "invalid_tool_call", id: "a", name: "add_note", args: "{" }],
        response_metadata: { output_version: "v1" },
      }),
    );
    expect(promoted.content).toEqual([
      { type: "text", text: "I note it." },
      { type: "tool_call", id: "a", name: "add_note", args: {} },
    ]);
  });

  test("the fields in which providers' clients keep a call are rewritten", () => {
    const sent = { name: "add_note", arguments: "{'id': 12}" };
    const promoted = adapter.promoteInvalidToolCalls(
      new messages.AIMessage({
        content: [
          { type: "tool_use", id: "a", name: "add_note", input: { no: 1 }, index: 1 },
          { type: "input_json_delta", index: 1, input: "{'id': 12}" },
          { type: "input_json_delta", index: 2, input: "{}" },
        ] as never,
        invalid_tool_calls: [{ type: "invalid_tool_call", id: "a", ...sent, args: sent.arguments }],
        tool_calls: [],
        additional_kwargs: {
          tool_calls: [
            { id: "a", type: "function", function: sent },
            { id: "b", type: "function", function: { name: "look", arguments: "{}" } },
          ],
        },
      }),
    );
    expect(promoted.content).toEqual([
      { type: "tool_use", id: "a", name: "add_note", input: { id: 12 }, index: 1 },
      { type: "input_json_delta", index: 2, input: "{}" },
    ]);
    expect(promoted.additional_kwargs.tool_calls?.map((one) => one.function.arguments)).toEqual([
      '{"id":12}',
      "{}",
    ]);
  });

  test("everything else in the message is kept", () => {
    const fields = {
      id: "run-1",
      name: "model",
      usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      response_metadata: { finish_reason: "stop" },
      additional_kwargs: { reasoning: "because" },
    };
    const call = { type: "invalid_tool_call" as const, id: "a", name: "add_note", args: "{" };
    const given = { content: "I note it.", invalid_tool_calls: [call], ...fields };
    const promoted: AIMessage = adapter.promoteInvalidToolCalls(
      new messages.AIMessage(given as never),
    );
    expect(promoted).toMatchObject({ content: "I note it.", ...fields });
  });

  test("promoting prints nothing to the console", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { tool } = spied(lab, "add_note", NOTE);
    await runAgent(lab, { turns: [{ calls: [note("{")], streamed: true }], tools: [tool] });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});

import type { AIMessage } from "@langchain/core/messages";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/every-langchain.ts";
import { codeOf } from "./testing/read-messages.ts";
import { runAgent } from "./testing/run-agent.ts";
import { type ScriptedCall, type Turn, toMessage } from "./testing/scripted-model.ts";
import { spied } from "./testing/tools.ts";

const NOTE = z.object({ id: z.number().optional(), note: z.string().optional() });
const note = (args: string, id = "a"): ScriptedCall => ({ id, name: "add_note", args });

describe.each(LABS)("texts that langchain $version could not read", (lab) => {
  const { messages, adapter } = lab;

  // What the model wrote, what is told of it, and what ran.
  const rows = [
    ["cut in a text", '{"id": 12, "note": "hel', "VAL-011", undefined],
    ["cut in a number", '{"note": "x", "id": 12', "VAL-011", undefined],
    ["single quotes", "{'note': 'hi'}", undefined, { note: "hi" }],
    ["a comma too many", '{"note": "hi",}', undefined, { note: "hi" }],
    ["a fence around it", '```json\n{"note": "hi"}\n```', undefined, { note: "hi" }],
    ["two objects", '{"note": "a"}{"note": "b"}', "VAL-004", undefined],
    ["a list", "[1, 2]", "VAL-002", undefined],
    ["nothing but words", "add a note please", "VAL-004", undefined],
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

  test("valid siblings of a cut call run", async () => {
    const { tool, runs } = spied(lab, "add_note", NOTE);
    const calls = [note('{"id": 1}', "a"), note('{"id": 2, "no', "b")];
    const turns: readonly Turn[] = [{ calls, finishReason: "length" }];
    const { results } = await runAgent(lab, { turns, tools: [tool] });
    expect(runs).toEqual([{ id: 1 }]);
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(["a", "b"]);
  });

  test("whole arguments at the end of a cut output run where their text is there", async () => {
    const { tool, runs } = spied(lab, "add_note", NOTE);
    for (const streamed of [false, true]) {
      const turns = [{ calls: [note('{"id": 1}')], finishReason: "length", streamed }];
      await runAgent(lab, { turns, tools: [tool] });
    }
    expect(runs).toEqual([{ id: 1 }, { id: 1 }]);
  });

  test("arguments without a text at the end of a cut output do not run", async () => {
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

  test("the client's own words, which quote every value, go nowhere", async () => {
    const { tool } = spied(lab, "add_note", NOTE);
    const secret = '{"note": "sk-secret-123", id: }';
    const { messages: left } = await runAgent(lab, {
      turns: [{ calls: [note(secret)] }],
      tools: [tool],
    });
    expect(JSON.stringify(left)).not.toContain("are not valid JSON");
    expect(left.filter((one) => one.getType() === "tool").map(String)).not.toContain("sk-secret");
  });

  test("a message without such calls stays the same object", () => {
    const message = toMessage(lab, { calls: [note('{"id": 1}')] });
    expect(adapter.promoteInvalidToolCalls(message)).toBe(message);
    const promoted = adapter.promoteInvalidToolCalls(toMessage(lab, { calls: [note("{")] }));
    expect(adapter.promoteInvalidToolCalls(promoted)).toBe(promoted);
  });

  test("ids and names that are missing are made up", () => {
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

  test("blocks of the standard content follow", () => {
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

  test("what the providers' clients keep of a call follows too", () => {
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

  test("everything else of the message is kept", () => {
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

  test("the model is asked for arguments, not for its client's state: no console noise", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { tool } = spied(lab, "add_note", NOTE);
    await runAgent(lab, { turns: [{ calls: [note("{")], streamed: true }], tools: [tool] });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});

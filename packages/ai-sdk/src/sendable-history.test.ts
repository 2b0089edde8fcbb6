import type { LanguageModelV4CallOptions, LanguageModelV4ToolCallPart } from "@ai-sdk/provider";
import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeModes } from "./testing/both-ends.ts";
import { steps } from "./testing/describe-on.ts";
import { quiet } from "./testing/travel.ts";

type Prompt = LanguageModelV4CallOptions["prompt"];

const callsIn = (prompt: Prompt): readonly LanguageModelV4ToolCallPart[] =>
  prompt.flatMap(({ role, content }) =>
    role === "assistant" ? content.filter((part) => part.type === "tool-call") : [],
  );
const resultsIn = (prompt: Prompt) =>
  prompt.flatMap(({ role, content }) =>
    role === "tool" ? content.filter((part) => part.type === "tool-result") : [],
  );

describeModes((sdk, mode) => {
  const tools = {
    load: sdk.ai.tool({ inputSchema: z.object({ key: z.string() }), execute: async () => "l" }),
  };
  const guarded = () => sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(3) });

  test.each([
    ["functions.load", '{"key":"x"}', "c1"],
    ["load file", '{"key":"x"}', "c1"],
    [`load_${"k".repeat(80)}`, '{"key":"x"}', "c1"],
    ["load", '["x"]', "c1"],
    ["load", "null", "c1"],
    ["load", "7", "c1"],
    ["load", '{"key":', "c1"],
    ["load", '{"key":"x"}', "functions.load:0"],
    ["load", '{"key":"x"}', "i".repeat(60)],
  ])(
    "a call of %j with %j and the id %j goes back as every provider takes it",
    async (name, input, id) => {
      const model = sdk.script([{ calls: [{ id, name, input }] }, { text: "done" }]);
      await sdk.run(mode, { model, settings: guarded() });
      const { prompt } = model.requests[1]!;
      const [call, ...more] = callsIn(prompt);
      expect(more).toEqual([]);
      expect(call?.toolName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(call?.toolCallId).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
      expect(call?.input).toBeTypeOf("object");
      expect(call?.input).not.toBeInstanceOf(Array);
      expect(call?.input).not.toBeNull();
      expect(resultsIn(prompt)).toMatchObject([
        { toolCallId: call?.toolCallId, toolName: call?.toolName },
      ]);
    },
  );

  test("a conversation that was stored before is repaired too, and the application's list stays", async () => {
    const call = { type: "tool-call", toolCallId: "a:0", toolName: "functions.load", input: {} };
    const output = { type: "error-text", value: "no such tool" };
    const answer = { type: "tool-result", toolCallId: "a:0", toolName: "functions.load", output };
    const messages = [
      { role: "user", content: "hello" },
      { role: "assistant", content: [call] },
      { role: "tool", content: [answer] },
      { role: "user", content: "again" },
    ] as ModelMessage[];
    const kept = JSON.stringify(messages);
    const model = sdk.script([{ text: "done" }]);
    await sdk.run(mode, { model, messages, settings: guarded() });
    const { prompt } = model.requests[0]!;
    const [sent] = callsIn(prompt);
    expect(sent?.toolName).toBe("functions_load");
    expect(sent?.toolCallId).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(resultsIn(prompt)).toMatchObject([{ toolCallId: sent?.toolCallId }]);
    expect(JSON.stringify(messages)).toBe(kept);
  });
});

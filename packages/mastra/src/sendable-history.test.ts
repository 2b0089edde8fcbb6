import { expect, test } from "vitest";
import { z } from "zod";
import type { PromptPart } from "./mastra.ts";
import { loadMastra } from "./testing/mastra.ts";
import { type ScriptedModel, scriptedModel } from "./testing/scripted-model.ts";

const lab = await loadMastra("1.71");

const agentOf = (model: ScriptedModel) => {
  const load = lab.tools.createTool({
    id: "load",
    description: "Loads.",
    inputSchema: z.object({ key: z.string() }),
    execute: async () => "l",
  } as never);
  const config = { id: "a", name: "a", instructions: "Help.", model, tools: { load } };
  return new lab.agent.Agent(lab.adapter.withContract(config as never, { logger: false }));
};

const partsOf = (model: ScriptedModel, type: string): readonly PromptPart[] =>
  (model.requests.at(-1)?.prompt ?? []).flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((part) => part.type === type),
  );

test.each([
  ["functions.load", '{"key":"x"}', "c1"],
  ["load file", '{"key":"x"}', "c1"],
  [`load_${"k".repeat(90)}`, '{"key":"x"}', "c1"],
  ["load", '["x"]', "c1"],
  ["load", "null", "c1"],
  ["load", '{"key":"x"}', "functions.load:0"],
  ["load", '{"key":"x"}', "i".repeat(60)],
])(
  "a call of %j with %j and the id %j goes back as every provider takes it",
  async (name, args, id) => {
    const model = scriptedModel([{ id, name, args }]);
    expect((await agentOf(model).generate("Go.")).text).toBe("Done.");
    const [call, ...more] = partsOf(model, "tool-call");
    expect(more).toEqual([]);
    expect(call?.toolName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(call?.toolCallId).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(Object.prototype.toString.call(call?.input)).toBe("[object Object]");
    expect(partsOf(model, "tool-result")).toMatchObject([
      { toolCallId: call?.toolCallId, toolName: call?.toolName },
    ]);
  },
);

test("a conversation that was stored is repaired, and a whole one goes back as it came", async () => {
  const stored = (toolName: string, toolCallId: string) => [
    { role: "user", content: "hello" },
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input: {} }] },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId, toolName, output: { type: "text", value: "l" } },
      ],
    },
    { role: "user", content: "again" },
  ];
  for (const [name, id] of [
    ["functions.load", "functions.load:0"],
    ["load", "call_abc"],
  ] as const) {
    const model = scriptedModel();
    await agentOf(model).generate(stored(name, id) as never);
    const [call] = partsOf(model, "tool-call");
    expect(call?.toolName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(call?.toolCallId === id).toBe(id === "call_abc");
    expect(partsOf(model, "tool-result")).toMatchObject([{ toolCallId: call?.toolCallId }]);
  }
});

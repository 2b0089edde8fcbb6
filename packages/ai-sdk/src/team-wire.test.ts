import { createGuardrails } from "@toolcontract/guardrails";
import type { ModelMessage, ToolSet } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeModes } from "./testing/both-ends.ts";
import { steps } from "./testing/describe-on.ts";
import type { ScriptedModel } from "./testing/scripted-model.ts";

const FIND = { name: "find", input: '{"id":"a"}' };
const ASK = { name: "ask", input: "{}" };

describeModes((sdk, mode) => {
  const requestsOf = ({ requests }: ScriptedModel): unknown =>
    JSON.parse(
      JSON.stringify(requests.map(({ prompt, tools, toolChoice }) => [prompt, tools, toolChoice])),
    );

  /** Two requests of a chat with an agent and its sub-agent, and what their models were sent. */
  async function chat(settingsFor: (tools: ToolSet) => object): Promise<unknown> {
    const find = sdk.ai.tool({
      inputSchema: z.object({ id: z.string() }),
      execute: async ({ id }) => `found ${id}`,
    });
    const sub = sdk.script([
      { calls: [{ id: "c1", ...FIND }] },
      { text: "the first" },
      { calls: [{ id: "c1", ...FIND }] },
      { text: "the second" },
    ]);
    const inner = settingsFor({ find });
    const ask = sdk.ai.tool({
      inputSchema: z.object({}),
      execute: async () => (await sdk.run(mode, { model: sub, settings: inner })).text,
    });
    const lead = sdk.script([
      {
        calls: [
          { id: "c2", ...ASK },
          { id: "c3", ...FIND },
        ],
      },
      { text: "one" },
      { calls: [{ id: "c4", ...ASK }] },
      { text: "two" },
    ]);
    const settings = settingsFor({ ask, find });
    const first: ModelMessage[] = [{ role: "user", content: "Go." }];
    const { messages } = await sdk.run(mode, { model: lead, messages: first, settings });
    const second: ModelMessage[] = [...messages, { role: "user", content: "Go on." }];
    await sdk.run(mode, { model: lead, messages: second, settings });
    return [requestsOf(lead), requestsOf(sub)];
  }

  const guardrails = createGuardrails({
    guardrails: [],
    effects: { ask: "none", find: "none" },
    tools: ["ask", "find"],
  });

  test.each([
    ["the contract", {}],
    ["guardrails", { guardrails }],
  ])(
    "with %s an agent, its sub-agent and a second request send what they send without",
    async (_, more) => {
      const bare = await chat((tools) => ({ tools, stopWhen: steps(8) }));
      const guarded = await chat((tools) =>
        sdk.adapter.withContract({ ...more, tools, logger: false, stopWhen: steps(8) }),
      );
      expect(guarded).toEqual(bare);
      expect(JSON.stringify(bare)).toContain("the second");
    },
  );
});

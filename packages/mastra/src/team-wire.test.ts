import type { AgentConfig } from "@mastra/core/agent";
import { createGuardrails } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import { type ScriptedModel, scriptedModel } from "./testing/scripted-model.ts";

const find = (id: string) => ({ id, name: "find", args: '{"id":"a"}' });
const ask = (id: string, args = "{}") => ({ id, name: "ask", args });

const guardrails = createGuardrails({
  guardrails: [],
  effects: { ask: "none", find: "none" },
  tools: ["ask", "find"],
});

for (const lab of [await loadMastra("1.71"), await loadMastra("1.42")]) {
  const { Agent } = lab.agent;
  const { createTool } = lab.tools;

  describe.each(["generate", "stream"] as const)(
    `a team of Mastra ${lab.version}, in %s`,
    (way) => {
      /** What puts an agent under the contract, or leaves it as it is. */
      type Wrap = (config: AgentConfig) => AgentConfig;
      const bare: Wrap = (config) => config;
      const under =
        (more: object): Wrap =>
        (config) =>
          lab.adapter.withContract(config, { ...more, logger: false });

      const findTool = () =>
        createTool({
          id: "find",
          description: "Finds.",
          inputSchema: z.object({ id: z.string() }),
          execute: async () => "found a",
        });
      const configOf = (id: string, model: ScriptedModel, more: object): AgentConfig => {
        const plain = { id, name: id, description: "Finds things.", instructions: "Search." };
        return { ...plain, model: model as never, ...more };
      };

      /** Two messages of the user, of which the second has what became of the first. */
      async function chat(config: AgentConfig): Promise<void> {
        const agent = new Agent(config);
        const kept: object[] = [];
        for (const content of ["Go.", "Go on."]) {
          kept.push({ role: "user", content });
          const output = await agent[way](kept as never, { maxSteps: 9 });
          if ("consumeStream" in output) await output.consumeStream();
          kept.push(...((await output.response).messages as object[]));
        }
      }

      /** What models were sent. Mastra writes the time of each message into its options. */
      const sentTo = (...models: readonly ScriptedModel[]): unknown =>
        JSON.parse(JSON.stringify(models.map(({ requests }) => requests)), (key, value: unknown) =>
          key === "createdAt" ? "a time" : value,
        );

      const teams = {
        async "with an agent in a tool"(wrap: Wrap) {
          const desk = scriptedModel([find("c1")], "the first", [find("c5")], "the second");
          const lead = scriptedModel([ask("c2"), find("c3")], "one", [ask("c4")], "two");
          const inner = new Agent(wrap(configOf("desk", desk, { tools: { find: findTool() } })));
          const asking = createTool({
            id: "ask",
            description: "Asks.",
            inputSchema: z.object({}),
            execute: async () => {
              const output = await inner[way]("Look.", { maxSteps: 9 });
              return output.text;
            },
          });
          await chat(wrap(configOf("lead", lead, { tools: { ask: asking, find: findTool() } })));
          return sentTo(lead, desk);
        },
        async "with an agent of Mastra's own"(wrap: Wrap) {
          const call = (id: string) => ({ ...ask(id, '{"prompt":"Look."}'), name: "agent-desk" });
          const desk = scriptedModel([find("c1")], "the first", [find("c5")], "the second");
          const lead = scriptedModel([call("c2"), find("c3")], "one", [call("c4")], "two");
          const inner = new Agent(wrap(configOf("desk", desk, { tools: { find: findTool() } })));
          const more = { agents: { desk: inner }, tools: { find: findTool() } };
          await chat(wrap(configOf("lead", lead, more)));
          return sentTo(lead, desk);
        },
      };

      describe.each(Object.entries(teams))("%s", (_, team) => {
        test.each([
          ["the contract", {}],
          ["guardrails", { guardrails }],
        ])("sends with %s what it sends without", async (_with, more) => {
          const without = await team(bare);
          expect(await team(under(more))).toEqual(without);
          const text = JSON.stringify(without);
          expect(text.match(/found a/g)?.length).toBeGreaterThan(4);
          expect(text).toContain("the second");
        });
      });
    },
  );
}

import {
  ARGUMENT,
  describeTeams,
  type Member,
  type NextMessage,
} from "@toolcontract/case-table/teams";
import { type Contract, createContract } from "@toolcontract/core";
import { z } from "zod";
import type { PromptRequest } from "./mastra.ts";
import { type Lab, loadMastra } from "./testing/mastra.ts";
import { scriptedModel } from "./testing/scripted-model.ts";
import { outputText } from "./turns-from-prompt.ts";

for (const lab of [await loadMastra("1.71"), await loadMastra("1.42")]) {
  describeTeams(`mastra ${lab.version}`, { createContract, ...hostOf(lab) });
}

function hostOf({ agent: { Agent }, tools: { createTool }, adapter }: Lab) {
  const modelOf = (next: NextMessage) => {
    const model = scriptedModel();
    const say = (request: PromptRequest): void => {
      const calls = next(readIn(request));
      const made = calls.map(({ arguments: args, ...call }) => ({ ...call, args }));
      model.say(made.length === 0 ? "Done." : made);
    };
    return {
      ...model,
      doGenerate: async (request: PromptRequest) => (say(request), model.doGenerate(request)),
      doStream: async (request: PromptRequest) => (say(request), model.doStream(request)),
    };
  };
  const agentOf = (contract: Contract, id: string, next: NextMessage, tools: object) => {
    const plain = { id, name: id, instructions: "Search.", model: modelOf(next) as never };
    return new Agent(adapter.withContract({ ...plain, tools: tools as never }, { contract }));
  };
  const searchOf = (who: Member, search: (who: Member) => string) => {
    const inputSchema = z.object({ [ARGUMENT[who]]: z.string() });
    const execute = async () => search(who);
    return createTool({ id: "search", description: "Searches", inputSchema, execute });
  };
  return {
    createTeam: (contract: Contract, search: (who: Member) => string) => ({
      async run({ lead, ...models }: Readonly<Record<"lead" | Member, NextMessage>>) {
        const ask = (who: Member) => {
          const agent = agentOf(contract, who, models[who], { search: searchOf(who, search) });
          const execute = async () => (await agent.generate("Search.")).text;
          return createTool({
            id: `ask_${who}`,
            description: "Asks",
            inputSchema: z.object({}),
            execute,
          });
        };
        const tools = { ask_ann: ask("ann"), ask_ben: ask("ben") };
        await agentOf(contract, "lead", lead, tools).generate("Search.");
      },
    }),
    createChat: (contract: Contract, search: (who: Member) => string) => {
      const kept: object[] = [];
      return {
        async send(next: NextMessage) {
          const agent = agentOf(contract, "ann", next, { search: searchOf("ann", search) });
          kept.push({ role: "user", content: "Search." });
          const { response } = await agent.generate(kept as never);
          kept.push(...(response.messages as object[]));
        },
      };
    },
  };
}

/** The results after the last message of the model. */
function readIn({ prompt }: PromptRequest): readonly string[] {
  const last = prompt.findLastIndex(({ role }) => role === "assistant");
  return prompt
    .slice(last + 1)
    .flatMap(({ role, content }) =>
      role === "tool" && typeof content !== "string"
        ? content.flatMap((part) => (part.type === "tool-result" ? [outputText(part.output)] : []))
        : [],
    );
}

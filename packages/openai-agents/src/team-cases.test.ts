import {
  ARGUMENT,
  describeTeams,
  type Member,
  type NextMessage,
} from "@toolcontract/case-table/teams";
import { type Contract, createContract } from "@toolcontract/core";
import { z } from "zod";
import type { ModelRequest } from "./sdk.ts";
import { newest, oldest } from "./testing/both-ends.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";
import type { Sdk } from "./testing/sdk.ts";

for (const sdk of [newest, oldest]) {
  describeTeams(`openai agents ${sdk.version}`, { createContract, ...hostOf(sdk) });
}

function hostOf({ adapter, agents }: Sdk) {
  /** A model that says what `next` returns to what it has read, message by message. */
  const modelOf = (next: NextMessage) => {
    const model = scriptedModel();
    const answer = model.getResponse.bind(model);
    return Object.assign(model, {
      getResponse: async (request: Parameters<typeof answer>[0]) => {
        const calls = next(readIn(request));
        const made = calls.map(({ arguments: args, ...call }) => ({ ...call, args }));
        model.say(made.length === 0 ? "Done." : made);
        return answer(request);
      },
    });
  };
  const guarded = (contract: Contract, name: string, next: NextMessage, tools: object[]) => {
    const plain = new agents.Agent({ name, model: modelOf(next), tools: tools as never });
    return adapter.withContract(plain, { contract });
  };
  const searchOf = (who: Member, search: (who: Member) => string) => {
    const parameters = z.object({ [ARGUMENT[who]]: z.string() });
    const execute = async () => search(who);
    return adapter.tool({ name: "search", description: "Searches", parameters, execute });
  };
  return {
    createTeam: (contract: Contract, search: (who: Member) => string) => ({
      async run({ lead, ...models }: Readonly<Record<"lead" | Member, NextMessage>>) {
        const ask = (who: Member) => {
          const { agent, runner } = guarded(contract, who, models[who], [searchOf(who, search)]);
          const execute = async () => (await runner.run(agent, "Search.")).finalOutput;
          const parameters = z.object({});
          return adapter.tool({ name: `ask_${who}`, description: "Asks", parameters, execute });
        };
        const { agent, runner } = guarded(contract, "lead", lead, [ask("ann"), ask("ben")]);
        await runner.run(agent, "Search.");
      },
    }),
    createChat: (contract: Contract, search: (who: Member) => string) => {
      let history: Parameters<ReturnType<typeof guarded>["runner"]["run"]>[1] = [];
      return {
        async send(next: NextMessage) {
          const { agent, runner } = guarded(contract, "ann", next, [searchOf("ann", search)]);
          const input = [...(history as object[]), { role: "user", content: "Search." }];
          ({ history } = await runner.run(agent, input as never));
        },
      };
    },
  };
}

/** The results after the last call of the model. */
function readIn({ input }: Pick<ModelRequest, "input">): readonly string[] {
  if (typeof input === "string") return [];
  const last = input.findLastIndex(({ type }) => type !== "function_call_result");
  const model = scriptedModel();
  model.requests.push({ input: input.slice(last + 1) } as ModelRequest);
  return Object.values(answersIn(model));
}

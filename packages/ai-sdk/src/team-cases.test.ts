import {
  ARGUMENT,
  describeTeams,
  type Member,
  type NextMessage,
  type TeamsKit,
} from "@toolcontract/case-table/teams";
import { type Contract, createContract } from "@toolcontract/core";
import type { ModelMessage } from "ai";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { SDKS } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";

for (const sdk of SDKS) {
  for (const mode of ["generateText", "streamText"] as const) {
    describeTeams(`ai ${sdk.version} in ${mode}`, { createContract, ...hostOf(sdk, mode) });
  }
}

function hostOf(sdk: Sdk, mode: Mode): Pick<TeamsKit<Contract>, "createTeam" | "createChat"> {
  const modelOf = (next: NextMessage) =>
    sdk.script(async (_, { prompt }) => {
      const calls = next(readIn(prompt));
      if (calls.length === 0) return { text: "Done." };
      return { calls: calls.map(({ arguments: input, ...call }) => ({ ...call, input })) };
    });
  const memberOf = (contract: Contract, who: Member, search: (who: Member) => string) => {
    const inputSchema = z.object({ [ARGUMENT[who]]: z.string() });
    const tools = { search: sdk.ai.tool({ inputSchema, execute: async () => search(who) }) };
    return sdk.adapter.withContract({ contract, tools, stopWhen: steps(8) });
  };
  return {
    createTeam: (contract, search) => {
      const members = {
        ann: memberOf(contract, "ann", search),
        ben: memberOf(contract, "ben", search),
      };
      return {
        async run({ lead, ...models }) {
          const own = { ann: modelOf(models.ann), ben: modelOf(models.ben) };
          const ask = (who: Member) =>
            sdk.ai.tool({
              inputSchema: z.object({}),
              execute: async () =>
                (await sdk.run(mode, { model: own[who], settings: members[who] })).text,
            });
          const tools = { ask_ann: ask("ann"), ask_ben: ask("ben") };
          const settings = sdk.adapter.withContract({ contract, tools, stopWhen: steps(8) });
          await sdk.run(mode, { model: modelOf(lead), settings });
        },
      };
    },
    createChat: (contract, search) => {
      const settings = memberOf(contract, "ann", search);
      let messages: readonly ModelMessage[] = [];
      return {
        async send(next) {
          const asked: ModelMessage[] = [...messages, { role: "user", content: "Search." }];
          const done = await sdk.run(mode, { model: modelOf(next), messages: asked, settings });
          messages = done.messages;
        },
      };
    },
  };
}

type Prompt = Parameters<
  Extract<Parameters<Sdk["script"]>[0], (...given: never[]) => unknown>
>[1]["prompt"];

/** The results after the last message of the model. */
function readIn(prompt: Prompt): readonly string[] {
  const last = prompt.findLastIndex(({ role }) => role === "assistant");
  return prompt
    .slice(last + 1)
    .flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap((part) =>
            part.type === "tool-result" &&
            "value" in part.output &&
            typeof part.output.value === "string"
              ? [part.output.value]
              : [],
          )
        : [],
    );
}

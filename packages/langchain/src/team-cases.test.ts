import type { BaseMessage } from "@langchain/core/messages";
import {
  ARGUMENT,
  describeTeams,
  type Member,
  type NextMessage,
  type TeamsKit,
} from "@toolcontract/case-table/teams";
import { type Contract, createContract } from "@toolcontract/core";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { spied } from "./testing/tools.ts";

type Host = Pick<TeamsKit<Contract>, "createTeam" | "createChat">;

for (const lab of LABS) {
  for (const hasThread of [false, true]) {
    const name = `langchain ${lab.version}, ${hasThread ? "in a thread" : "no thread"}`;
    describeTeams(name, { createContract, ...hostOf(lab, hasThread) });
  }
}

function hostOf(lab: Lab, hasThread: boolean): Host {
  const { HumanMessage } = lab.messages;
  const hello = (): { messages: BaseMessage[] } => ({ messages: [new HumanMessage("Search.")] });
  const modelOf = (next: NextMessage) => {
    const script = lab.script(async () => {
      const calls = next(readIn(lab, script.requests.at(-1) ?? []));
      if (calls.length === 0) return { text: "Done." };
      return { calls: calls.map(({ arguments: args, ...call }) => ({ ...call, args })) };
    });
    return script.model;
  };
  const agentOf = (contract: Contract, next: NextMessage, tools: readonly unknown[], more = {}) =>
    lab.langchain.createAgent({
      model: modelOf(next),
      tools: tools as never[],
      middleware: [lab.adapter.toolContractMiddleware({ contract })],
      ...more,
    });
  const searchOf = (who: Member, search: (who: Member) => string) => {
    const properties = { [ARGUMENT[who]]: { type: "string" } };
    const schema = { type: "object", properties, required: [ARGUMENT[who]] };
    return spied(lab, "search", schema, async () => search(who)).tool;
  };
  const configOf = (thread: string) => (hasThread ? { configurable: { thread_id: thread } } : {});
  let threads = 0;
  return {
    createTeam: (contract, search) => ({
      async run({ lead, ann, ben }) {
        const models = { ann, ben };
        const nothing = { type: "object", properties: {} } as const;
        const ask = (who: Member) => {
          const agent = agentOf(contract, models[who], [searchOf(who, search)]);
          const answer = async () => textOfMessage((await agent.invoke(hello())).messages.at(-1)!);
          return spied(lab, `ask_${who}`, nothing, answer).tool;
        };
        threads += 1;
        const agent = agentOf(contract, lead, [ask("ann"), ask("ben")]);
        await agent.invoke(hello(), configOf(`T${threads}`));
      },
    }),
    createChat: (contract, search) => {
      let kept: BaseMessage[] = [];
      const checkpointer = new lab.langgraph.MemorySaver();
      return {
        async send(next) {
          const more = hasThread ? { checkpointer } : {};
          const agent = agentOf(contract, next, [searchOf("ann", search)], more);
          const { messages } = hello();
          const input = { messages: hasThread ? messages : [...kept, ...messages] };
          kept = (await agent.invoke(input, configOf("chat"))).messages;
        },
      };
    },
  };
}

/** The answers after the last message of the model. */
function readIn({ messages }: Lab, request: readonly BaseMessage[]): readonly string[] {
  const last = request.findLastIndex((one) => messages.AIMessage.isInstance(one));
  return request
    .slice(last + 1)
    .flatMap((one) => (messages.ToolMessage.isInstance(one) ? [textOfMessage(one)] : []));
}

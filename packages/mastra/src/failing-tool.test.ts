import { describeFailingTool, type PayCall, type UsersKit } from "@toolcontract/case-table/users";
import { type Contract, createContract } from "@toolcontract/core";
import { type Guardrails, createGuardrails, currentAttempt } from "@toolcontract/guardrails";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const {
  agent: { Agent },
  tools: { createTool },
  adapter,
  version,
} = await loadMastra("1.71");

const createKit = (options: {
  readonly conversationId?: string;
}): UsersKit<Contract, Guardrails> => ({
  tellsRunsApart: options.conversationId !== undefined,
  createContract,
  createGuardrails,
  currentAttempt,
  createHost: (contract, pay) => {
    const inputSchema = z.object({ amount: z.number() });
    const tool = createTool({ id: "pay", description: "Pays", inputSchema, execute: pay });
    return {
      async run(next) {
        const model = scriptedModel();
        for (let calls = await next(); calls.length > 0; calls = await next()) {
          model.say(calls.map(({ arguments: args, ...call }: PayCall) => ({ ...call, args })));
        }
        const plain = { id: "a", name: "a", instructions: "Pay.", model: model as never };
        const agent = new Agent(
          adapter.withContract({ ...plain, tools: { pay: tool } }, { contract, ...options }),
        );
        await agent.generate("Pay.", { maxSteps: 20 });
      },
    };
  },
});

describeFailingTool(`mastra ${version}`, createKit({}));
describeFailingTool(
  `mastra ${version}, in a named conversation,`,
  createKit({ conversationId: "a" }),
);

import { describeEqualCalls, type PayCall } from "@toolcontract/case-table/users";
import { createContract } from "@toolcontract/core";
import { createGuardrails, currentAttempt } from "@toolcontract/guardrails";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const {
  agent: { Agent },
  tools: { createTool },
  adapter,
  version,
} = await loadMastra("1.71");

describeEqualCalls(`mastra ${version}`, {
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
          adapter.withContract({ ...plain, tools: { pay: tool } }, { contract }),
        );
        await agent.generate("Pay.");
      },
    };
  },
});

import { describeEqualCalls, type PayCall } from "@toolcontract/case-table/users";
import { createContract } from "@toolcontract/core";
import { createGuardrails, currentAttempt } from "@toolcontract/guardrails";
import { z } from "zod";
import { newest, oldest } from "./testing/both-ends.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

for (const { version, adapter, agents } of [newest, oldest]) {
  describeEqualCalls(`openai agents ${version}`, {
    createContract,
    createGuardrails,
    currentAttempt,
    createHost: (contract, pay) => {
      const parameters = z.object({ amount: z.number() });
      const tool = adapter.tool({ name: "pay", description: "Pays", parameters, execute: pay });
      return {
        async run(next) {
          const model = scriptedModel();
          for (let calls = await next(); calls.length > 0; calls = await next()) {
            model.say(calls.map(({ arguments: args, ...call }: PayCall) => ({ ...call, args })));
          }
          const plain = new agents.Agent({ name: "a", model, tools: [tool] });
          const { agent, runner } = adapter.withContract(plain, { contract });
          await runner.run(agent, "Pay.");
        },
      };
    },
  });
}

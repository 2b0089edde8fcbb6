import { describeUsers, type UsersKit } from "@toolcontract/case-table/users";
import { type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, currentAttempt, type Guardrails } from "@toolcontract/guardrails";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { SDKS } from "./testing/every-sdk.ts";
import { type Mode, MODES, type Sdk } from "./testing/sdk.ts";

for (const sdk of SDKS) {
  for (const mode of sdk.version === 7 ? MODES : (["generateText", "streamText"] as const)) {
    describeUsers(`ai ${sdk.version} in ${mode}`, {
      createContract,
      createGuardrails,
      currentAttempt,
      createHost: hostOf(sdk, mode),
    });
  }
}

function hostOf(sdk: Sdk, mode: Mode): UsersKit<Contract, Guardrails>["createHost"] {
  return (contract, pay) => {
    const inputSchema = z.object({ amount: z.int() });
    const tools = { pay: sdk.ai.tool({ inputSchema, execute: pay }) };
    const settings = sdk.adapter.withContract({ contract, tools, stopWhen: steps(8) });
    return {
      async run(next) {
        const model = sdk.script(async () => {
          const calls = await next();
          if (calls.length === 0) return { text: "Done." };
          return { calls: calls.map(({ arguments: input, ...call }) => ({ ...call, input })) };
        });
        await sdk.run(mode, { model, settings });
      },
    };
  };
}

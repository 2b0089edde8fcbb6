import { describeReplays, type Payment, type ReplayKit } from "@toolcontract/case-table/replays";
import {
  type AskRequest,
  type Contract,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { createGuardrails, currentAttempt, memoryLedger } from "@toolcontract/guardrails";
import type { ModelMessage } from "ai";
import { steps, textOf } from "./testing/describe-on.ts";
import { SDKS } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";

const NO_APPROVALS =
  "version 5 has no approvals, so no request goes on with calls of an earlier message";

for (const sdk of SDKS) {
  for (const mode of ["generateText", "streamText"] as const) {
    describeReplays(`ai ${sdk.version} in ${mode}`, {
      createContract,
      createGuardrails: createGuardrails as never,
      createLedger: memoryLedger,
      createRecords: createMemoryStore,
      asks: "guardrail",
      createHost: hostOf(sdk, mode),
      cannot: {
        pauses: "a tool of the AI SDK cannot interrupt its run and go on later",
        ...(sdk.version === 5 && {
          "comes again": NO_APPROVALS,
          "comes again elsewhere": NO_APPROVALS,
          "goes on elsewhere": NO_APPROVALS,
          grants: NO_APPROVALS,
        }),
      },
    });
  }
}

function hostOf(sdk: Sdk, mode: Mode): ReplayKit<Contract, AskRequest>["createHost"] {
  const { asksIn, withContract } = sdk.adapter;
  return (pay) => {
    const tool = sdk.ai.tool({
      inputSchema: sdk.ai.jsonSchema<Payment>({ type: "object" }),
      execute: async (input) => pay(input, { key: currentAttempt().idempotencyKey }),
    });
    /** What a client sends once a person has answered, as JSON. */
    const approved = new Map<string, string>();
    return {
      async send({ name, conversation, user, payments }, { contract, answer }) {
        const settings = withContract({
          contract,
          tools: { pay: tool },
          stopWhen: steps(2),
          ...(conversation !== undefined && { conversationId: conversation }),
          ...(user !== undefined && { context: { user } }),
        });
        const run = async (messages?: readonly ModelMessage[]) => {
          const calls = payments.map((payment, index) => ({
            id: `call_${index}`,
            name: "pay",
            input: JSON.stringify(payment),
          }));
          const model = sdk.script([...(messages ? [] : [{ calls }]), { text: "Done." }]);
          const ran = await sdk.run(mode, { model, settings, ...(messages && { messages }) });
          return ran.messages;
        };
        const key = JSON.stringify([conversation, user, name]);
        let messages: readonly ModelMessage[] = [];
        if (!approved.has(key)) {
          messages = await run();
          const asks = sdk.version === 5 ? [] : await asksIn(settings.tools, messages);
          const content = await Promise.all(
            asks.map(async ({ approvalId, request }) => {
              const reason = await answer(request);
              return {
                type: "tool-approval-response" as const,
                approvalId,
                approved: true,
                ...(reason !== undefined && { reason }),
              };
            }),
          );
          if (asks.length > 0) {
            approved.set(key, JSON.stringify([...messages, { role: "tool", content }]));
          }
        }
        const sent = approved.get(key);
        if (sent !== undefined) messages = await run(JSON.parse(sent) as ModelMessage[]);
        return payments.map((_, index) => textOf(messages, `call_${index}`));
      },
    };
  };
}

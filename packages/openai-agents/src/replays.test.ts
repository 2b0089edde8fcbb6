import { describeReplays, LARGE, type ReplayKit } from "@toolcontract/case-table/replays";
import {
  type AskRequest,
  type Contract,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { createGuardrails, currentAttempt, memoryLedger } from "@toolcontract/guardrails";
import { z } from "zod";
import { newest, oldest } from "./testing/both-ends.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";
import type { Sdk } from "./testing/sdk.ts";

for (const sdk of [newest, oldest]) {
  describeReplays(`openai agents ${sdk.version}`, {
    createContract,
    createGuardrails: createGuardrails as never,
    createLedger: memoryLedger,
    createRecords: createMemoryStore,
    asks: "tool",
    createHost: hostOf(sdk),
    cannot: {
      users:
        "the adapter takes no user: whoever guards an agent for each user names their conversation",
      keys: "each run is a request of its own: a call that is made again in another run has another key",
      pauses: "a tool of the SDK cannot interrupt its run: it asks before it begins",
      grants: "the SDK's own approvals hold no grant, and a guardrail's question is the answer",
    },
  });
}

function hostOf({ agents, adapter }: Sdk): ReplayKit<Contract, AskRequest>["createHost"] {
  return (pay) => {
    const tool = adapter.tool({
      name: "pay",
      description: "Pays",
      parameters: z.object({ to: z.string(), amount: z.number() }),
      needsApproval: async (_, { amount }) => amount > LARGE,
      execute: async (payment) =>
        (await pay(payment, { key: currentAttempt().idempotencyKey })) as string,
    });
    const open = (contract: Contract, conversation: string | undefined) => {
      const model = scriptedModel();
      const plain = new agents.Agent({ name: "a", model, tools: [tool] });
      const named = conversation !== undefined && { conversationId: conversation };
      return { model, ...adapter.withContract(plain, { contract, ...named }) };
    };
    /** The guarded agents of each process, by conversation. */
    const opened = new Map<Contract, Map<string | undefined, ReturnType<typeof open>>>();
    /** The state of each message's run that waits, as a database keeps it. */
    const stored = new Map<string, string>();
    return {
      async send({ name, conversation, payments }, { contract }) {
        const own = opened.get(contract) ?? new Map<string | undefined, ReturnType<typeof open>>();
        opened.set(contract, own);
        const guarded = own.get(conversation) ?? open(contract, conversation);
        own.set(conversation, guarded);
        const { agent, model, runner } = guarded;
        const key = JSON.stringify([conversation, name]);
        if (!stored.has(key)) {
          const calls = payments.map((payment, index) => ({
            id: `call_${index}`,
            name: "pay",
            args: JSON.stringify(payment),
          }));
          model.say(calls);
          const { interruptions, state } = await runner.run(agent, `Pay for ${name}.`);
          if (interruptions.length > 0) stored.set(key, state.toString());
        }
        const waiting = stored.get(key);
        if (waiting !== undefined) {
          const state = await agents.RunState.fromString(agent, waiting);
          for (const item of state.getInterruptions()) state.approve(item);
          await runner.run(agent, state);
        }
        return callsIn(model).map((id) => answersIn(model)[id] ?? "");
      },
    };
  };
}

/** The calls of the last request, whose ids the adapter has made anew where they came before. */
function callsIn({ requests }: ReturnType<typeof scriptedModel>): readonly string[] {
  const input = requests.at(-1)?.input ?? [];
  return typeof input === "string"
    ? []
    : input.flatMap((item) => (item.type === "function_call" ? [item.callId] : []));
}

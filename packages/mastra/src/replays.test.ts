import { describeReplays, LARGE, type ReplayKit } from "@toolcontract/case-table/replays";
import { isWhole } from "@toolcontract/case-table/whole";
import {
  type AskRequest,
  type Contract,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { createGuardrails, currentAttempt, memoryLedger } from "@toolcontract/guardrails";
import { z } from "zod";
import { type Lab, loadMastra } from "./testing/mastra.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";

for (const lab of [await loadMastra("1.71"), ...(isWhole ? [await loadMastra("1.42")] : [])]) {
  describeReplays(`mastra ${lab.version}`, {
    createContract,
    createGuardrails: createGuardrails as never,
    createLedger: memoryLedger,
    createRecords: createMemoryStore,
    asks: "tool",
    createHost: hostOf(lab),
    cannot: {
      "comes again": "a run that has gone on is not resumed again: Mastra refuses to",
      "comes again elsewhere": "nor in another process",
      pauses:
        "suspend() of Mastra returns: the contract sees a tool that has ended, and what it reserved is spent",
      keys: "nothing tells Mastra's runs apart, so a call has no key",
      users:
        "the adapter takes no user: whoever guards an agent for each user names their conversation",
      grants: "Mastra's own approvals hold no grant, and a guardrail's question is the answer",
    },
  });
}

interface Waiting {
  readonly runId: string;
  readonly toolCallIds: readonly string[];
}

function hostOf(lab: Lab): ReplayKit<Contract, AskRequest>["createHost"] {
  return (pay) => {
    const tool = lab.tools.createTool({
      id: "pay",
      description: "Pays",
      inputSchema: z.object({ to: z.string(), amount: z.number() }),
      requireApproval: async ({ amount }: { readonly amount: number }) => amount > LARGE,
      execute: async (payment: never) => pay(payment, { key: currentAttempt().idempotencyKey }),
    } as never);
    const storage = new lab.InMemoryStore();
    /** The run of each message that waits. */
    const stored = new Map<string, Waiting>();
    return {
      async send({ name, conversation, payments }, { contract }) {
        const key = JSON.stringify([conversation, name]);
        const calls = payments.map((payment, index) => ({
          id: `${name.replaceAll(/\W/gu, "_")}_${index}`,
          name: "pay",
          args: JSON.stringify(payment),
        }));
        const model = scriptedModel(...(stored.has(key) ? [] : [calls]));
        const config = { id: "a", name: "a", instructions: "Pay.", model, tools: { pay: tool } };
        const agent = new lab.agent.Agent(
          lab.adapter.withContract(config as never, {
            contract,
            ...(conversation !== undefined && { conversationId: conversation }),
          }),
        );
        const mastra = new lab.Mastra({ agents: { a: agent }, storage, logger: false });
        if (mastra.getStorage() === undefined) throw new Error("nothing is kept");
        if (!stored.has(key)) {
          const first = await agent.stream("Pay.");
          const toolCallIds = await askedIn(first);
          if (toolCallIds.length > 0) stored.set(key, { runId: first.runId, toolCallIds });
        }
        const { runId, toolCallIds } = stored.get(key) ?? { runId: "", toolCallIds: [] };
        const left = [...toolCallIds];
        for (const toolCallId of left) {
          left.push(...(await askedIn(await agent.approveToolCall({ runId, toolCallId }))));
        }
        const answers = answersIn(model);
        return calls.map(({ id }) => answers[id] ?? "");
      },
    };
  };
}

/** The calls that a run waits for, once it waits or ends. */
async function askedIn(stream: unknown): Promise<readonly string[]> {
  const asked: string[] = [];
  const { fullStream } = stream as {
    readonly fullStream: AsyncIterable<{ readonly type: string; readonly payload: unknown }>;
  };
  for await (const { type, payload } of fullStream) {
    if (type === "tool-call-approval")
      asked.push((payload as { readonly toolCallId: string }).toolCallId);
  }
  return asked;
}

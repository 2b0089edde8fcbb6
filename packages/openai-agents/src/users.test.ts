import { describeUsers, type PayCall } from "@toolcontract/case-table/users";
import { createContract } from "@toolcontract/core";
import { createGuardrails, currentAttempt } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newest } from "./testing/both-ends.ts";
import { type ScriptedMessage, scriptedModel } from "./testing/scripted-model.ts";

const { version, adapter, agents } = newest;
const parameters = z.object({ amount: z.number() });

/** A model that says what `next` returns, message by message. */
function modelOf(next: () => Promise<readonly PayCall[]>) {
  const model = scriptedModel();
  const answer = model.getResponse.bind(model);
  return Object.assign(model, {
    getResponse: async (request: Parameters<typeof answer>[0]) => {
      const calls = await next();
      model.say(
        calls.length === 0
          ? "Done."
          : calls.map(({ arguments: args, ...call }) => ({ ...call, args })),
      );
      return answer(request);
    },
  });
}

describeUsers(`openai agents ${version}`, {
  createContract,
  createGuardrails,
  currentAttempt,
  createHost: (contract, pay) => {
    const tool = adapter.tool({ name: "pay", description: "Pays", parameters, execute: pay });
    return {
      async run(next) {
        const plain = new agents.Agent({ name: "a", model: modelOf(next), tools: [tool] });
        const { agent, runner } = adapter.withContract(plain, { contract });
        await runner.run(agent, "Pay.");
      },
    };
  },
});

/** A process whose agent pays once a person has approved. */
function open(
  guardrails: ReturnType<typeof createGuardrails>,
  message: ScriptedMessage,
  ran: unknown[],
) {
  const tool = adapter.tool({
    name: "pay",
    description: "Pays",
    parameters,
    needsApproval: true,
    execute: ({ amount }) => (ran.push(amount), `paid ${ran.length}`),
  });
  const plain = new agents.Agent({ name: "a", model: scriptedModel(message), tools: [tool] });
  return adapter.withContract(plain, { guardrails, logger: false });
}

async function approve(
  { agent, runner }: ReturnType<typeof open>,
  stored: string,
): Promise<unknown> {
  const state = await agents.RunState.fromString(agent, stored);
  for (const item of state.getInterruptions()) state.approve(item);
  const { newItems } = await runner.run(agent, state);
  return newItems.flatMap((item) => (item.type === "tool_call_output_item" ? [item.output] : []));
}

describe("a stored state", () => {
  const call = [{ id: "call_0", name: "pay", args: '{"amount":3}' }];

  test("of another user is another one, also with the same call", async () => {
    const ran: unknown[] = [];
    const guardrails = createGuardrails({
      guardrails: [],
      effects: { pay: "irreversible" },
      limits: { money: { max: 4 } },
      spends: { pay: ({ args }) => ({ money: args.amount }) },
    });
    for (const user of ["Ann", "Bob"]) {
      const first = open(guardrails, call, ran);
      const stored = (await first.runner.run(first.agent, `Pay 3, I am ${user}.`)).state.toString();
      await approve(open(guardrails, "Done.", ran), stored);
    }
    expect(ran).toEqual([3, 3]);
  });
});

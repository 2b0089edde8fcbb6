import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { type AskRequest, EscalationError } from "@toolcontract/core";
import { createGuardrails, type Guardrails } from "@toolcontract/guardrails";
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from "deepagents";
import { expect, test } from "vitest";
import { z } from "zod";
import { wrapAgent } from "./index.ts";
import { loadLab } from "./testing/langchain.ts";

const lab = await loadLab("newest");
const go = { messages: [{ role: "user", content: "go" }] } as never;

interface TeamOptions {
  readonly guardrails?: Guardrails;
  readonly ask?: "interrupt";
  readonly escalate?: "throw";
}

/** A team of deepagents whose sub-agent makes these calls of `refund`, and the amounts that ran. */
function teamOf(calls: readonly string[], options: TeamOptions) {
  const ran: number[] = [];
  const refunds = tool(async ({ euros }) => (ran.push(euros), "done"), {
    name: "refund",
    description: "Refunds.",
    schema: z.object({ euros: z.number() }),
  });
  const task = JSON.stringify({ description: "Refund.", subagent_type: "general-purpose" });
  const main = lab.script([{ calls: [{ id: "t", name: "task", args: task }] }, { text: "end" }]);
  const sub = lab.script([
    ...calls.map((args, index) => ({ calls: [{ id: `c${index}`, name: "refund", args }] })),
    { text: "done" },
  ]);
  const settings = {
    model: main.model,
    tools: [refunds],
    checkpointer: new MemorySaver(),
    subagents: [{ ...GENERAL_PURPOSE_SUBAGENT, model: sub.model }],
  };
  return { ran, main, agent: createDeepAgent(wrapAgent(settings, { logger: false, ...options })) };
}

test("a question about a call of a sub-agent interrupts the lead, and its grant runs the call once", async () => {
  const guardrails = createGuardrails({
    guardrails: [{ name: "large", check: ({ args }) => args.euros > 100 && { ask: "above 100" } }],
    effects: { refund: "irreversible" },
  });
  const { ran, agent } = teamOf(['{"euros":500}'], { guardrails, ask: "interrupt" });
  const thread = { configurable: { thread_id: "T" } };
  const state = (await agent.invoke(go, thread)) as unknown as {
    readonly __interrupt__: readonly { readonly value: { readonly request: AskRequest } }[];
  };
  const [question] = state.__interrupt__;
  expect(question?.value.request).toMatchObject({ tool: "refund", arguments: { euros: 500 } });
  expect(ran).toEqual([]);
  const grant = await guardrails.grant(question!.value.request, { by: "op", expiresIn: 60_000 });
  const done = await agent.invoke(new Command({ resume: { grant } }) as never, thread);
  expect(ran).toEqual([500]);
  expect(done.messages.at(-1)?.text).toBe("end");
});

test('what escalate: "throw" throws in a sub-agent goes through its lead', async () => {
  const wrong = Array.from({ length: 3 }, () => '{"euros":"1"}');
  const { main, agent } = teamOf(wrong, { escalate: "throw" });
  const thread = { configurable: { thread_id: "T" } };
  const thrown: unknown = await agent.invoke(go, thread).catch((error: unknown) => error);
  // Each middleware on the way wraps it.
  let cause = thrown;
  while (cause instanceof Error && !EscalationError.isInstance(cause)) ({ cause } = cause);
  expect(EscalationError.isInstance(cause)).toBe(true);
  expect(main.requests).toHaveLength(1);
});

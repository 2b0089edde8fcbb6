import { tool } from "@langchain/core/tools";
import { createContract } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";
import { createDeepAgent } from "deepagents";
import { createAgent } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { toolContractMiddleware, wrapTools } from "./index.ts";
import { loadLab } from "./testing/langchain.ts";

const lab = await loadLab("newest");
const go = { messages: [{ role: "user", content: "go" }] } as never;
const context = { user: "u" };
const refund = (id: string, euros: number) => ({
  calls: [{ id, name: "refund", args: JSON.stringify({ euros }) }],
});

function desk() {
  const ran: number[] = [];
  const options = {
    name: "refund",
    description: "Refunds.",
    schema: z.object({ euros: z.number() }),
  };
  const refunds = tool(async ({ euros }) => (ran.push(euros), "done"), options);
  const guardrails = createGuardrails({
    guardrails: [],
    tools: ["refund", "task"],
    effects: { refund: "irreversible" },
    limits: { desk: { max: 100, scope: "user" } },
    spends: { refund: ({ args }) => ({ desk: (args as { euros: number }).euros }) },
  });
  return { ran, refunds, guardrails };
}

test.each(["guardrails", "contract"])(
  "a wrapped tool under middleware with the same %s spends once",
  async (shared) => {
    const { ran, refunds, guardrails } = desk();
    const quiet = { logger: false, guardrails } as const;
    const made = shared === "contract" ? { contract: createContract(quiet) } : quiet;
    const options = { ...made, context };
    const model = lab.script([refund("1", 60), refund("2", 30), refund("3", 30)]);
    const agent = createAgent({
      model: model.model,
      tools: wrapTools([refunds], options),
      middleware: [toolContractMiddleware(options)],
    });
    await agent.invoke(go);
    expect(ran).toEqual([60, 30]);
    expect(await guardrails.usage("desk", { context })).toMatchObject({ spent: 90, left: 10 });
  },
);

test("two guardrails over one limit are two, also around one call", async () => {
  const { ran, refunds, guardrails } = desk();
  const other = desk();
  const quiet = { logger: false, context } as const;
  const model = lab.script([refund("1", 60)]);
  const agent = createAgent({
    model: model.model,
    tools: wrapTools([refunds], { ...quiet, guardrails }),
    middleware: [toolContractMiddleware({ ...quiet, guardrails: other.guardrails })],
  });
  await agent.invoke(go);
  expect(ran).toEqual([60]);
  expect(await guardrails.usage("desk", { context })).toMatchObject({ spent: 60 });
  expect(await other.guardrails.usage("desk", { context })).toMatchObject({ spent: 60 });
});

test("one guardrails object serves a team in which each agent has some of the tools", async () => {
  const { ran, refunds, guardrails } = desk();
  const middleware = [toolContractMiddleware({ logger: false, guardrails, context })] as never;
  const task = (id: string) => ({
    id,
    name: "task",
    args: JSON.stringify({ description: `task ${id}`, subagent_type: "desk" }),
  });
  const main = lab.script([{ calls: [task("a"), task("b")] }]);
  const sub = lab.script([refund("1", 60), refund("2", 60)]);
  const agent = createDeepAgent({
    model: main.model,
    tools: [],
    middleware,
    subagents: [
      {
        name: "desk",
        description: "Refunds.",
        systemPrompt: "You refund.",
        model: sub.model,
        tools: [refunds],
        middleware,
      },
    ],
  });
  await agent.invoke(go);
  expect(ran).toEqual([60]);
  expect(await guardrails.usage("desk", { context })).toMatchObject({ spent: 60, left: 40 });
});

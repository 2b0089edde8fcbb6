import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { tool } from "@langchain/core/tools";
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { type AskRequest, createContract } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";
import { answerUnknownTools, promoteInvalidToolCalls, wrapTools } from "@toolcontract/langchain";
import { z } from "zod";

const pay = tool(async ({ to, amount }) => `paid ${to} ${amount}`, {
  name: "pay",
  description: "Pays an invoice",
  schema: z.object({ to: z.string(), amount: z.number().positive() }),
});
const guardrails = createGuardrails({
  effects: { pay: "irreversible" },
  guardrails: [
    { name: "large", check: ({ args }) => args.amount > 100 && { ask: "more than 100 at once" } },
  ],
  limits: { budget: { max: 1_000, per: "day" } },
  spends: { pay: ({ args }) => ({ budget: args.amount }) },
});
const contract = createContract({ guardrails });
const tools = wrapTools([pay], { contract, ask: interrupt });
const model = new ChatOpenAI({ model: "gpt-5" }).bindTools(tools);

// MemorySaver is for one process: a checkpointer in a database lets a person answer tomorrow.
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({
    messages: [promoteInvalidToolCalls(await model.invoke(messages))],
  }))
  .addNode("tools", answerUnknownTools(new ToolNode(tools), { contract }))
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition, ["tools", END])
  .addEdge("tools", "model")
  .compile({ checkpointer: new MemorySaver() });

interface Asked {
  readonly __interrupt__?: readonly { readonly value?: { readonly request: AskRequest } }[];
}

const terminal = createInterface({ input: stdin, output: stdout });
const content = await terminal.question("What shall I pay? ");
const config = { configurable: { thread_id: crypto.randomUUID() } };
let state = await graph.invoke({ messages: [{ role: "user", content }] }, config);
for (;;) {
  const request = (state as Asked).__interrupt__?.[0]?.value?.request;
  if (request === undefined) break;
  const yes = await terminal.question(`${JSON.stringify(request.arguments)}? [y/n] `);
  const resume = yes.startsWith("y")
    ? { grant: await guardrails.grant(request, { by: "terminal", expiresIn: 600_000 }) }
    : "A person said no. Do not ask again.";
  state = await graph.invoke(new Command({ resume }), config);
}
console.log(state.messages.at(-1)?.text);
terminal.close();

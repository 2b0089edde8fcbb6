import assert from "node:assert/strict";
import type { Form } from "../program.ts";
import { runProgram } from "../program.ts";
import type { Place } from "../place.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";
import { BOOK, BOOKED_ONCE, OPTIONS, runStaged } from "./stage.ts";

/** A scripted chat model: the README's call, the corrected one, then an answer. */
function scripted(args: string): string {
  return `
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
const script = [${args}, { from: "LIS", seats: 2 }];
const seen = [];
class ScriptedModel extends BaseChatModel {
  _llmType() { return "scripted"; }
  bindTools() { return this; }
  async _generate(messages) {
    if (messages.at(-1).type === "tool") seen.push(messages.at(-1).content);
    const args = script.shift();
    const calls = args ? [{ type: "tool_call", id: "call_" + script.length, name: "book", args }] : [];
    const message = new AIMessage({ content: args ? "" : "Done.", tool_calls: calls });
    return { generations: [{ text: message.text, message }] };
  }
}`;
}

async function runAgent(form: Form, place: Place): Promise<void> {
  const readme = readmeOf("langchain", place);
  const program = {
    source: readme.fence("ts"),
    replaced: { '"anthropic:claude-sonnet-4-5"': "new ScriptedModel({})" },
    before: scripted(readme.match(/^For `([^`]+)`/m)),
    after: "console.log(JSON.stringify(seen));",
  };
  const [said, read = ""] = (await runProgram(program, form, place)).split("\n");
  assert.equal(said, "Done. undefined");
  assert.deepEqual(JSON.parse(read), [readme.fence("txt"), "2 seats from LIS"]);
}

const GRAPH = `
const book = tool(async ({ from, seats }) => seats + " seats from " + from, {
  name: "book",
  description: "Books a flight",
  schema: z.object({ from: z.string().length(3), seats: z.number().int() }),
});
const nodes = await createNodes([book]);
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", nodes.model).addNode("tools", nodes.tools)
  .addEdge(START, "model").addEdge("tools", "model")
  .addConditionalEdges("model", (state) => state.messages.at(-1).tool_calls.length ? "tools" : END)
  .compile();
const state = await graph.invoke({ messages: [{ role: "user", content: "Two from Lisbon" }] });
console.log(state.messages.at(-1).text);
console.log(JSON.stringify(seen));`;

async function runGraph(form: Form, place: Place): Promise<void> {
  const readme = readmeOf("langchain", place);
  const program = {
    source: readme.fence("ts", 1),
    replaced: { '(await initChatModel("anthropic:claude-sonnet-4-5"))': "new ScriptedModel({})" },
    before: `import { tool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";
${scripted(readme.match(/^For `([^`]+)`/m))}`,
    after: GRAPH,
  };
  const [said, read = ""] = (await runProgram(program, form, place)).split("\n");
  assert.equal(said, "Done.");
  assert.deepEqual(JSON.parse(read), [readme.fence("txt"), "2 seats from LIS"]);
}

const STAGED = `
import { toolContractMiddleware } from "@toolcontract/langchain";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { z } from "zod";
${scripted(JSON.stringify(BOOK))}
const book = tool(async ({ from, seats }) => seats + " seats from " + from, {
  name: "book",
  description: "Books a flight",
  schema: z.object({ from: z.string(), seats: z.number() }),
});
const middleware = [toolContractMiddleware({ escalate: "drop-tool", ...${OPTIONS} })];
const agent = createAgent({ model: new ScriptedModel({}), tools: [book], middleware });
await agent.invoke({ messages: [{ role: "user", content: "Two seats." }] });
console.log(JSON.stringify(seen));`;

async function runStage(place: Place): Promise<void> {
  assert.deepEqual(JSON.parse(await runStaged(STAGED, place)), BOOKED_ONCE);
}

/** Both programs of the README, with a scripted model, and the documentation's stage. */
export function langchainCells(): readonly Cell[] {
  const readme = (["esm", "cjs"] satisfies Form[]).flatMap((form) => [
    { name: `README's agent, ${form}`, run: (place: Place) => runAgent(form, place) },
    { name: `README's graph, ${form}`, run: (place: Place) => runGraph(form, place) },
  ]);
  return [...readme, { name: "a stage", run: runStage }];
}

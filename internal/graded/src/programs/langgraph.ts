import type { BaseMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { answerUnknownTools, promoteInvalidToolCalls, wrapTools } from "@toolcontract/langchain";
import { createContract } from "@toolcontract/core";
import type { AIMessage } from "langchain";
import type { Graded, Kit } from "../kit.ts";

/** A graph of a model and a `ToolNode`. */
export const bare: Graded = async (kit) =>
  ask(kit, { model: (message) => message, tools: new ToolNode(toolsOf(kit)) });

export const contract: Graded = async (kit) => {
  const options = { contract: createContract({ logger: false }) };
  const node = new ToolNode(wrapTools(toolsOf(kit), options));
  await ask(kit, { model: promoteInvalidToolCalls, tools: answerUnknownTools(node, options) });
};

/** What the graph's two nodes do. */
interface Nodes {
  readonly model: (message: AIMessage) => BaseMessage;
  readonly tools: unknown;
}

function toolsOf({ tools, run }: Kit): DynamicStructuredTool[] {
  return tools.map(({ name, description, parameters: schema }) => {
    const func = async (input: unknown) => run(name, input);
    return new DynamicStructuredTool({ name, description, schema, func });
  });
}

async function ask(kit: Kit, nodes: Nodes): Promise<void> {
  const { baseUrl, prompt, isStream } = kit;
  const model = new ChatOpenAI({
    model: "scripted",
    apiKey: "none",
    configuration: { baseURL: baseUrl },
  }).bindTools(toolsOf(kit));
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => ({
      messages: [nodes.model((await model.invoke(messages)) as unknown as AIMessage)],
    }))
    .addNode("tools", nodes.tools as ToolNode)
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition, ["tools", END])
    .addEdge("tools", "model")
    .compile();
  const input = { messages: [{ role: "user", content: prompt }] };
  if (!isStream) return void (await graph.invoke(input, { recursionLimit: 60 }));
  // With `streaming` set on the model, it counts tokens by a table from the network.
  const parts = await graph.stream(input, { recursionLimit: 60, streamMode: "messages" });
  for await (const _ of parts);
}

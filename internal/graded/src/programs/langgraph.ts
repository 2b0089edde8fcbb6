import type { BaseMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { promoteInvalidToolCalls, wrapTools } from "@toolcontract/langchain";
import type { AIMessage } from "langchain";
import type { Graded, Kit } from "../kit.ts";

/** A graph of a model and a `ToolNode`. */
export const bare: Graded = async (kit) => ask(kit, toolsOf(kit), (message) => message);

export const contract: Graded = async (kit) =>
  ask(kit, wrapTools(toolsOf(kit), { logger: false }), promoteInvalidToolCalls);

function toolsOf({ tools, run }: Kit): DynamicStructuredTool[] {
  return tools.map(({ name, description, parameters: schema }) => {
    const func = async (input: unknown) => run(name, input);
    return new DynamicStructuredTool({ name, description, schema, func });
  });
}

async function ask(
  { baseUrl, prompt, isStream }: Kit,
  tools: DynamicStructuredTool[],
  promote: (message: AIMessage) => BaseMessage,
): Promise<void> {
  const model = new ChatOpenAI({
    model: "scripted",
    apiKey: "none",
    configuration: { baseURL: baseUrl },
    streaming: isStream,
  }).bindTools(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => ({
      messages: [promote((await model.invoke(messages)) as unknown as AIMessage)],
    }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition, ["tools", END])
    .addEdge("tools", "model")
    .compile();
  await graph.invoke({ messages: [{ role: "user", content: prompt }] }, { recursionLimit: 60 });
}

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { createContract } from "@toolcontract/core";
import { ChatModelThatCalls } from "@toolcontract/frameworks/langchain";
import { toolContractMiddleware } from "@toolcontract/langchain";
import { createAgent } from "langchain";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { perCall, race, shortened } from "../race.ts";
import { typicalCall, typicalMistake, typicalTool } from "../typical-call.ts";

const SIZES = {
  full: { messages: 1_000, failures: 4_000 },
  quick: { messages: 20, failures: 20 },
} as const;

/** Measures a step at the end of a long chat, in which attempts are counted from the messages. */
export const longHistory: Benchmark = {
  name: "long-history",
  about: "one step of createAgent after a long history, with and without the middleware",
  async run({ length, isQuick }) {
    const { messages, failures } = SIZES[isQuick ? "quick" : "full"];
    const histories = [
      { title: `${messages} messages without a failure`, history: chat(messages) },
      { title: `${failures} failures of one tool`, history: await failed(failures) },
    ];
    return onEach(histories, async (entry) => measure(entry, shortened(length)));
  },
};

interface Entry {
  readonly title: string;
  readonly history: readonly BaseMessage[];
}

async function measure({ title, history }: Entry, length: Setting["length"]): Promise<Table> {
  const contestants = [
    { name: "createAgent", middleware: [] },
    {
      name: "createAgent with the contract",
      middleware: [toolContractMiddleware({ logger: () => undefined })],
    },
  ].map(({ name, middleware }) => {
    const agent = createAgent({
      model: new ChatModelThatCalls(typicalCall),
      tools: [writeFile],
      middleware,
    });
    return {
      name,
      // The agent gets a list of its own, as from a checkpoint, of the same messages.
      run: async () => agent.invoke({ messages: [...history, new HumanMessage("And now?")] }),
    };
  });
  return { title, rows: perCall(await race(contestants, length), 1) };
}

const { name, inputSchema } = typicalTool;
const writeFile = tool(() => "ok", {
  name,
  description: "A tool.",
  schema: inputSchema as object,
}) as StructuredToolInterface;

function chat(messages: number): readonly BaseMessage[] {
  return Array.from({ length: messages }, (_, at) =>
    at % 2 === 0 ? new HumanMessage("And then?") : new AIMessage("Then nothing."),
  );
}

/** Calls that were rejected, as a store without artifacts keeps them. */
async function failed(failures: number): Promise<readonly BaseMessage[]> {
  const contract = createContract({ logger: () => undefined });
  const call = { id: "call_1", name, arguments: typicalMistake.text };
  const { result } = await contract.handle(call, {
    tool: typicalTool,
    conversationId: "a",
    execute: () => "ok",
  });
  return Array.from({ length: failures }, (_, at) => {
    const id = `call_${at}`;
    return [
      new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id, name, args: {} }] }),
      new ToolMessage({ status: "error", content: result.content, tool_call_id: id, name }),
    ];
  }).flat();
}

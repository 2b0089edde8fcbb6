import { type AnyTextAdapter, chat, maxIterations, type Tool, toolDefinition } from "@tanstack/ai";
import { openaiCompatibleText } from "@tanstack/ai-openai/compatible";
import { type Contract, createContract, type JsonSchema } from "@toolcontract/core";
import {
  createVerdictBook,
  isStandardSchema,
  readableArguments,
  type VerdictBook,
} from "@toolcontract/core/adapter";
import type { Graded, Kit, SchemaOf } from "@toolcontract/graded/kit";
import { z } from "zod";

// As on docs/tanstack-ai.md:

type Options = Parameters<AnyTextAdapter["chatStream"]>[0];
type Message = Options["messages"][number];

/** An adapter whose calls are judged as their message ends; `conversationId` names the conversation, for the attempts. */
export function withContract<TAdapter extends AnyTextAdapter>(
  adapter: TAdapter,
  contract: Contract,
  conversationId: string,
): TAdapter {
  const book = createVerdictBook(contract);
  const chatStream = async function* (options: Options) {
    const calls = new Map<string, { readonly name: string; text: string }>();
    const messages = options.messages.map((message) => answered(message, book));
    const tools = (options.tools ?? []).map(({ name, inputSchema }) =>
      isStandardSchema(inputSchema)
        ? { name, validator: inputSchema }
        : { name, inputSchema: inputSchema as JsonSchema },
    );
    for await (const chunk of adapter.chatStream({ ...options, messages })) {
      if (chunk.type === "TOOL_CALL_START") {
        calls.set(chunk.toolCallId, { name: chunk.toolCallName, text: "" });
        yield chunk;
      } else if (chunk.type === "TOOL_CALL_ARGS") {
        const call = calls.get(chunk.toolCallId);
        if (call) call.text += chunk.delta;
      } else if (chunk.type === "RUN_FINISHED") {
        const written = [...calls].map(([id, { name, text }]) => ({ id, name, arguments: text }));
        const { finishReason } = chunk;
        const verdicts = await book.judge(written, { conversationId, tools, finishReason });
        for (const [index, { id, arguments: text }] of written.entries()) {
          const verdict = verdicts[index];
          if (verdict === undefined) continue;
          // What is not JSON never runs, and nobody is asked about it: TanStack answers it with an error that repeats it.
          const isAdmitted = verdict.status === "admitted";
          const delta = isAdmitted ? readableArguments(text, verdict) : verdict.result.content;
          yield { type: "TOOL_CALL_ARGS", toolCallId: id, delta } as never;
          yield { type: "TOOL_CALL_END", toolCallId: id } as never;
        }
        yield chunk;
      } else if (chunk.type !== "TOOL_CALL_END") yield chunk;
    }
  };
  return Object.assign(Object.create(adapter) as TAdapter, { chatStream });
}

const REPEATED = "Failed to parse tool arguments as JSON: ";

/** A message as the model gets it: with the contract's answers, and without arguments that are not JSON. */
function answered(message: Message, book: VerdictBook): Message {
  const verdict = book.of(message.toolCallId ?? "");
  if (verdict && verdict.status !== "admitted") {
    return { ...message, content: verdict.result.content };
  }
  if (message.role === "tool" && typeof message.content === "string") {
    const { error } = parsed(message.content);
    const isRepeated = typeof error === "string" && error.startsWith(REPEATED);
    return isRepeated ? { ...message, content: error.slice(REPEATED.length) } : message;
  }
  const toolCalls = message.toolCalls?.map((call) => {
    const text = JSON.stringify(parsed(call.function.arguments));
    return { ...call, function: { ...call.function, arguments: text } };
  });
  return toolCalls ? { ...message, toolCalls } : message;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

// Until here.

/** Tools by JSON Schema, which TanStack AI does not validate. */
export const bare: Graded = async (kit) => ask(kit, (schema) => schema);

export const zod: Graded = async (kit) => ask(kit, z.fromJSONSchema);

export const contract: Graded = async (kit) => {
  const own = createContract({ logger: false });
  await ask(
    kit,
    (schema) => schema,
    (adapter) => withContract(adapter, own, "conversation-1"),
  );
};

async function ask(
  { baseUrl, prompt, tools, run }: Kit,
  schemaOf: SchemaOf,
  guard: (adapter: AnyTextAdapter) => AnyTextAdapter = (adapter) => adapter,
): Promise<void> {
  const stream = chat({
    adapter: guard(openaiCompatibleText("scripted", { baseURL: baseUrl, apiKey: "none" })),
    messages: [{ role: "user", content: prompt }],
    agentLoopStrategy: maxIterations(20),
    tools: tools.map(({ name, description, parameters }) => {
      const inputSchema = schemaOf(parameters) as z.ZodObject;
      const made = toolDefinition({ name, description, inputSchema });
      return made.server(async (input: unknown) => run(name, input)) as unknown as Tool;
    }),
  });
  for await (const chunk of stream) {
    if (chunk.type === "RUN_ERROR") throw new Error(chunk.message);
  }
}

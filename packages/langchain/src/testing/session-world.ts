import type { BaseMessage, MessageContent } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  CaseError,
  CaseReply,
  SeenMessage,
  SeenResult,
  World,
} from "@toolcontract/case-table/sessions";
import { xml, xmlFinal } from "@toolcontract/session/xml";
import type { Lab } from "./langchain.ts";
import { httpError, type Reply, sessionModel } from "./session-model.ts";

const TRANSPORTS = { xml, "xml-final": xmlFinal };

/** A session with the world's models and tools; each call runs its agent once. */
export function createRuns(lab: Lab, world: World): () => Promise<SeenResult> {
  const { messages: core, langchain } = lab;
  const [first, ...others] = world.targets.map(({ name, limits, ask }) => ({
    ...limits,
    model: sessionModel(
      lab,
      async ({ messages, tools, options }) => {
        const { temperature, signal } = options as {
          readonly temperature?: number;
          readonly signal?: AbortSignal;
        };
        return replyOf(await ask({ messages: seenMessages(messages), tools, temperature }, signal));
      },
      name,
      "scripted",
    ).model,
  }));
  if (!first) throw new Error("A row has at least one target");
  const { transport, ...options } = world.options;
  const session = lab.session.agentSession({
    ...options,
    ...(transport && { transport: TRANSPORTS[transport] }),
    targets: [first, ...others],
  });
  const agent = langchain.createAgent({
    model: first.model,
    tools: toolsOf(lab, world),
    middleware: [session.middleware],
    ...(world.system !== undefined && { systemPrompt: world.system }),
  });
  return async () => {
    const messages = world.messages.map(({ role, text }) =>
      role === "user" ? new core.HumanMessage(text) : new core.AIMessage(text),
    );
    const { signal } = world;
    const { conversation, ...result } = await session.run(agent, { messages }, { signal });
    return { ...result, conversation: seenMessages(conversation) };
  };
}

/** What the table's reply is in LangChain's words. */
function replyOf({
  error,
  calls = [],
  usage,
  model,
  finishReason,
  text,
  reasoning,
}: CaseReply): Reply {
  if (error) return { error: errorOf(error) };
  const { input, output, cached } = usage ?? { input: 10, output: 5 };
  return {
    ...(text !== undefined && { text }),
    ...(reasoning !== undefined && { reasoning }),
    calls: calls.map(({ id, name, input: args }) => ({ id, name, args })),
    finishReason: finishReason ?? (calls.length > 0 ? "tool-calls" : "stop"),
    ...(model !== undefined && { metadata: { model_name: model } }),
    // A class may report anything.
    ...(usage !== null && { usage: [input, output, cached] as never }),
  };
}

function errorOf({ message, status, headers, body, isString }: CaseError): unknown {
  if (isString) return message;
  if (status === undefined) return new TypeError(message);
  return httpError(status, message, { headers, ...(body !== undefined && JSON.parse(body)) });
}

const PNG = "data:image/png;base64,iVBORw0KGgo=";

function toolsOf({ tools, messages }: Lab, world: World): ReturnType<typeof tools.tool>[] {
  return world.tools.map(({ name, inputSchema, image, run }) =>
    tools.tool(
      async (input: unknown, config: RunnableConfig & { readonly toolCall?: { id?: string } }) => {
        const value = await run(input, config.signal);
        if (!image) return value;
        const content = [
          { type: "text", text: value },
          { type: "image_url", image_url: { url: PNG } },
        ] as MessageContent;
        return new messages.ToolMessage({ content, name, tool_call_id: config.toolCall?.id ?? "" });
      },
      { name, description: "A tool.", schema: inputSchema as never },
    ),
  );
}

const ROLES: Readonly<Record<string, SeenMessage["role"]>> = {
  ai: "assistant",
  human: "user",
  system: "system",
  tool: "tool",
};

/** Messages as the table of sessions compares them. */
function seenMessages(messages: readonly BaseMessage[]): readonly SeenMessage[] {
  return messages.map((message) => {
    const role = ROLES[message.getType()] ?? "user";
    const text = seenText(message.content);
    const { tool_calls, invalid_tool_calls, tool_call_id } = message as BaseMessage & Calls;
    if (role === "tool") return { role, text, id: tool_call_id ?? "" };
    if (role !== "assistant") return { role, text };
    const ids = [...(tool_calls ?? []), ...(invalid_tool_calls ?? [])].map(({ id = "" }) => id);
    return { role, text, calls: [...new Set(ids)] };
  });
}

interface Calls {
  readonly tool_calls?: readonly { readonly id?: string }[];
  readonly invalid_tool_calls?: readonly { readonly id?: string }[];
  readonly tool_call_id?: string;
}

function seenText(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if ("text" in block) return String(block.text);
      return block.type === "image_url" ? "[image]" : "";
    })
    .join("");
}

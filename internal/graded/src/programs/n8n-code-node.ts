import { createRequire } from "node:module";
import type * as core from "@toolcontract/core";
import OpenAI from "openai";
import type { Graded, Kit } from "../kit.ts";

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Call = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;

/** What the node before has: the messages so far, of which the last is the model's. */
interface Asked {
  readonly messages: readonly (Omit<Message, "content" | "role"> & {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: readonly Call[];
    readonly tool_call_id?: string;
  })[];
  readonly tools: readonly core.ToolDefinition[];
  readonly finishReason: string;
}

interface Input {
  readonly first: () => { readonly json: Asked };
}

// As on docs/n8n-code-node.md:

/** The code of the node is the body of this function; `$input` and `require` are n8n's. */
export async function codeNode($input: Input, require: (name: string) => typeof core) {
  const { countAttempts, createContract, parseRejection } = require("@toolcontract/core");
  const contract = createContract({ logger: false });
  const { messages, tools, finishReason } = $input.first().json;

  const turns = messages.flatMap(({ tool_calls: made }, index) => {
    if (made === undefined) return [];
    const calls = made.map(({ id, function: { name, arguments: text } }) => ({
      id,
      name,
      arguments: text,
    }));
    const rest = messages.slice(index + 1);
    const end = rest.findIndex(({ role }) => role !== "tool");
    const results = rest
      .slice(0, end < 0 ? rest.length : end)
      .map(({ tool_call_id: toolCallId = "", content: answer }) => {
        const content = String(answer);
        return { toolCallId, content, isError: parseRejection(content) !== undefined };
      });
    return [{ calls, results }];
  });

  if (messages.at(-1)?.tool_calls === undefined) return [];
  const { calls = [] } = turns.pop() ?? {};
  const items = calls.map(async (call, index) => {
    const admission = await contract.admit(call, {
      tools,
      conversationId: "this execution",
      turnId: String(turns.length),
      attempts: countAttempts(turns, call.name, contract.settings.scope),
      // Only the last call of a message can be cut.
      ...(index === calls.length - 1 && { finishReason }),
    });
    const isValid = admission.status === "admitted";
    const text = isValid ? call.arguments : admission.result.content;
    const input = isValid ? admission.input : {};
    return { json: { id: call.id, name: call.name, isValid, input, text } };
  });
  return Promise.all(items);
}

// Until here.

/** The nodes around it: one that asks the model, and one that runs what is valid. */
export const contract: Graded = async ({ baseUrl, prompt, tools, run }: Kit) => {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none" });
  const messages: Message[] = [{ role: "user", content: prompt }];
  const definitions = tools.map(({ name, parameters }) => ({ name, inputSchema: parameters }));
  const offered = tools.map((tool) => ({ type: "function" as const, function: { ...tool } }));
  for (let turn = 0; turn < 20; turn += 1) {
    const { choices } = await client.chat.completions.create({
      model: "scripted",
      messages,
      tools: offered,
    });
    const [choice] = choices;
    if (choice === undefined) return;
    const { message, finish_reason: finishReason } = choice;
    messages.push(message);
    const json = { messages, tools: definitions, finishReason } as Asked;
    const items = await codeNode(
      { first: () => ({ json }) },
      createRequire(import.meta.url) as (name: string) => typeof core,
    );
    if (items.length === 0) return;
    for (const call of message.tool_calls ?? []) {
      // Providers refuse a history with arguments that are not JSON.
      const item = items.find(({ json: { id } }) => id === call.id);
      if (item && "function" in call) call.function.arguments = JSON.stringify(item.json.input);
    }
    for (const { json: item } of items) {
      const content = item.isValid ? await run(item.name, item.input) : item.text;
      messages.push({ role: "tool", tool_call_id: item.id, content });
    }
  }
};

import type { KitEnvironment } from "../play/index.ts";
import type { KitTool } from "../shared/index.ts";
import { type ModelClient, postForEvents, postJson, type Reply } from "./model-client.ts";

interface Block {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly input: unknown;
}
interface Event {
  readonly type: string;
  readonly index: number;
  readonly content_block: Block;
  readonly delta: {
    readonly text?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string;
  };
}

/** Anthropic's messages. */
export function anthropicClient(
  { KIT_BASE_URL, KIT_PROMPT, KIT_STREAM }: KitEnvironment,
  tools: readonly KitTool[],
): ModelClient {
  const messages: object[] = [{ role: "user", content: KIT_PROMPT }];
  const url = `${KIT_BASE_URL}/messages`;
  const declared = tools.map(({ name, description, parameters }) => {
    return { name, description, input_schema: parameters };
  });
  return {
    async ask(mayCall) {
      const choice = { tool_choice: { type: mayCall ? "auto" : "none" } };
      const body = { model: "scripted", max_tokens: 1_000, messages, tools: declared, ...choice };
      if (KIT_STREAM !== "") {
        return replyOf((await postForEvents(url, { ...body, stream: true })) as readonly Event[]);
      }
      const { content, stop_reason } = (await postJson(url, body)) as {
        readonly content: readonly Block[];
        readonly stop_reason: string;
      };
      const said = content.filter(({ type }) => type === "text").map(({ text }) => text);
      const calls = content
        .filter(({ type }) => type === "tool_use")
        .map(({ id, name, input }) => ({ id, name, text: JSON.stringify(input) }));
      return { text: said.join(""), calls, isCut: stop_reason === "max_tokens" };
    },
    add(text, calls, answers) {
      const said = text === "" ? [] : [{ type: "text", text }];
      const made = calls.map(({ id, name, text: input }) => {
        return { type: "tool_use", id, name, input: JSON.parse(input) as unknown };
      });
      const results = answers.map(({ id, text: content, isError }) => {
        return { type: "tool_result", tool_use_id: id, content, is_error: isError };
      });
      messages.push({ role: "assistant", content: [...said, ...made] });
      messages.push({ role: "user", content: results });
    },
    say(text, answer) {
      messages.push({ role: "assistant", content: text }, { role: "user", content: answer });
    },
  };
}

function replyOf(events: readonly Event[]): Reply {
  const blocks: { type: string; id: string; name: string; text: string }[] = [];
  let reason: string | undefined;
  for (const { type, index, content_block: start, delta } of events) {
    if (type === "content_block_start") blocks[index] = { ...start, text: "" };
    const block = blocks[index];
    if (type === "content_block_delta" && block) {
      block.text += delta.text ?? delta.partial_json ?? "";
    }
    if (type === "message_delta") reason = delta.stop_reason;
  }
  const said = blocks.filter(({ type }) => type === "text").map(({ text }) => text);
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return { text: said.join(""), calls, isCut: reason === "max_tokens" };
}

import type { KitEnvironment } from "../play/index.ts";
import type { KitTool } from "../shared/index.ts";
import { type ModelClient, postForEvents, postJson, type Reply } from "./model-client.ts";

interface Call {
  readonly index?: number;
  readonly id?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}
interface Message {
  readonly content?: string | null;
  readonly tool_calls?: readonly Call[];
}
interface Choice {
  readonly message?: Message;
  readonly delta?: Message;
  readonly finish_reason: string | null;
}

/** OpenAI's chat completions. */
export function openaiChatClient(
  { KIT_BASE_URL, KIT_PROMPT, KIT_STREAM }: KitEnvironment,
  tools: readonly KitTool[],
): ModelClient {
  const messages: object[] = [{ role: "user", content: KIT_PROMPT }];
  const url = `${KIT_BASE_URL}/chat/completions`;
  const declared = tools.map(({ name, description, parameters }) => {
    return { type: "function", function: { name, description, parameters } };
  });
  return {
    async ask(mayCall) {
      const choice = { tool_choice: mayCall ? "auto" : "none" };
      const body = { model: "scripted", messages, tools: declared, ...choice };
      if (KIT_STREAM === "") {
        const { choices } = (await postJson(url, body)) as { readonly choices: readonly Choice[] };
        return replyOf(choices);
      }
      const events = await postForEvents(url, { ...body, stream: true });
      return replyOf(events.flatMap((event) => (event as { choices: readonly Choice[] }).choices));
    },
    add(text, calls, answers) {
      const tool_calls = calls.map(({ id, name, text: input }) => {
        return { id, type: "function", function: { name, arguments: input } };
      });
      messages.push({ role: "assistant", content: text === "" ? null : text, tool_calls });
      for (const { id, text: content } of answers) {
        messages.push({ role: "tool", tool_call_id: id, content });
      }
    },
    say(text, answer) {
      messages.push({ role: "assistant", content: text }, { role: "user", content: answer });
    },
  };
}

function replyOf(choices: readonly Choice[]): Reply {
  let text = "";
  const calls: { id: string; name: string; text: string }[] = [];
  for (const { message, delta } of choices) {
    const part = message ?? delta ?? {};
    text += part.content ?? "";
    for (const [place, call] of (part.tool_calls ?? []).entries()) {
      const known = (calls[call.index ?? place] ??= { id: call.id ?? "", name: "", text: "" });
      known.name += call.function.name ?? "";
      known.text += call.function.arguments;
    }
  }
  return { text, calls, isCut: choices.some((choice) => choice.finish_reason === "length") };
}

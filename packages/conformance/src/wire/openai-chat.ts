import { openaiChat } from "@toolcontract/wire";
import type { SeenEntry } from "../shared/index.ts";
import { contentText, listOf, objectOf, stringOf } from "./content-text.ts";
import type { WireFormat } from "./wire-format.ts";

/** OpenAI's chat completions, which most servers speak. */
export const openaiChatFormat: WireFormat = {
  form: openaiChat,
  path: /\/chat\/completions$/,
  hasErrorMark: false,
  streamEnd: "data: [DONE]\n\n",
  isStream: (body) => body["stream"] === true,
  mayCall: (body) => listOf(body["tools"]).length > 0 && body["tool_choice"] !== "none",
  read: (body) => listOf(body["messages"]).flatMap((message) => entriesOf(objectOf(message))),
  canPlay: () => true,
};

function entriesOf(message: Readonly<Record<string, unknown>>): readonly SeenEntry[] {
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  const text = contentText(content);
  if (role === "tool") return [{ kind: "answer", id: stringOf(id), text }];
  const said: readonly SeenEntry[] =
    text === "" ? [] : [{ kind: "text", role: stringOf(role), text }];
  const made = listOf(calls).map((call) => {
    const { id: callId, function: called } = objectOf(call);
    const { name, arguments: input } = objectOf(called);
    return { id: stringOf(callId), name: stringOf(name), text: stringOf(input) };
  });
  return made.length === 0 ? said : [...said, { kind: "calls", calls: made }];
}

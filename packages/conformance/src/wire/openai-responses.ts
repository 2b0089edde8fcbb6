import { openaiResponses } from "@toolcontract/wire";
import type { SeenCall, SeenEntry } from "../shared/index.ts";
import { contentText, listOf, objectOf, stringOf } from "./content-text.ts";
import type { WireFormat } from "./wire-format.ts";

/** OpenAI's responses. */
export const openaiResponsesFormat: WireFormat = {
  form: openaiResponses,
  path: /\/responses$/,
  hasErrorMark: false,
  isStream: (body) => body["stream"] === true,
  mayCall: (body) => listOf(body["tools"]).length > 0 && body["tool_choice"] !== "none",
  read(body) {
    const { input } = body;
    if (typeof input === "string") return [{ kind: "text", role: "user", text: input }];
    return withJoinedCalls(listOf(input).flatMap((item) => entriesOfItem(objectOf(item))));
  },
  canPlay: () => true,
};

function entriesOfItem(item: Readonly<Record<string, unknown>>): readonly SeenEntry[] {
  const { type, call_id: id, name, arguments: text, output, role, content } = item;
  if (type === "function_call") {
    const call = { id: stringOf(id), name: stringOf(name), text: stringOf(text) };
    return [{ kind: "calls", calls: [call] }];
  }
  if (type === "function_call_output") {
    return [{ kind: "answer", id: stringOf(id), text: contentText(output) }];
  }
  if (role === undefined) return [];
  return [{ kind: "text", role: stringOf(role), text: contentText(content) }];
}

/** The calls of one message are items of their own. */
function withJoinedCalls(entries: readonly SeenEntry[]): readonly SeenEntry[] {
  const joint: SeenEntry[] = [];
  for (const entry of entries) {
    const last = joint.at(-1);
    if (entry.kind === "calls" && last?.kind === "calls") {
      const calls: readonly SeenCall[] = [...last.calls, ...entry.calls];
      joint[joint.length - 1] = { kind: "calls", calls };
    } else {
      joint.push(entry);
    }
  }
  return joint;
}

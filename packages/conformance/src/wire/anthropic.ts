import { anthropicMessages, type Json } from "@toolcontract/wire";
import type { Scenario, SeenEntry } from "../shared/index.ts";
import { contentText, isObjectText, listOf, objectOf, stringOf } from "./content-text.ts";
import type { WireFormat } from "./wire-format.ts";

/** Anthropic's messages. */
export const anthropicFormat: WireFormat = {
  form: anthropicMessages,
  path: /\/messages$/,
  hasErrorMark: true,
  isStream: (body) => body["stream"] === true,
  mayCall,
  read: (body) => listOf(body["messages"]).flatMap((message) => entriesOf(objectOf(message))),
  canPlay,
};

/** A thread that goes on has the tools that it began with. */
function mayCall({ tools, tool_choice: choice, thread }: Json): boolean {
  const hasTools =
    tools === undefined ? objectOf(thread)["type"] === "continue" : listOf(tools).length > 0;
  return hasTools && objectOf(choice)["type"] !== "none";
}

/** Arguments are a string in a stream only, and ids are letters, digits, hyphens and underscores. */
function canPlay({ turns }: Scenario, isStream: boolean): boolean {
  const calls = turns.flatMap((turn) => turn.calls);
  return calls.every(
    ({ id, arguments: text, digits }) =>
      (id === undefined || /^[\w-]+$/.test(id)) &&
      (isStream || (isObjectText(text) && digits === undefined)),
  );
}

function entriesOf({ role, content }: Readonly<Record<string, unknown>>): readonly SeenEntry[] {
  if (typeof content === "string") return [{ kind: "text", role: stringOf(role), text: content }];
  const blocks = listOf(content).map(objectOf);
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name }) => ({ id: stringOf(id), name: stringOf(name) }));
  const rest = blocks.flatMap((block): readonly SeenEntry[] => {
    if (block["type"] === "tool_result") {
      const { tool_use_id: id, content: result, is_error: isError } = block;
      const text = contentText(result);
      return [{ kind: "answer", id: stringOf(id), text, isError: isError === true }];
    }
    if (block["type"] !== "text") return [];
    return [{ kind: "text", role: stringOf(role), text: stringOf(block["text"]) }];
  });
  return calls.length === 0 ? rest : [...rest, { kind: "calls", calls }];
}

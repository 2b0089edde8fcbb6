import { isRecord } from "@toolcontract/core/adapter";
import type { Fields } from "./call-forms.ts";

/** A call whose arguments are streamed. */
interface Begun {
  name: unknown;
  args: string;
  /** The call as the same provider writes it when it does not stream. */
  readonly written: (name: unknown, args: string) => Fields;
}

/**
 * Joins the events of a stream to what the same answer is without streaming: each call with all of its arguments, as far as
 * they came. Events that are whole messages stay as they are.
 */
export function joinStream(events: readonly unknown[]): readonly unknown[] {
  const begun = new Map<string, Begun>();
  const whole: unknown[] = [];
  for (const event of events) {
    if (!isRecord(event)) continue;
    const piece = PROVIDERS.some((take) => take(event, begun));
    if (!piece) whole.push(event);
  }
  return [...whole, ...[...begun.values()].map(({ name, args, written }) => written(name, args))];
}

/** Takes an event's piece of a call, if it is an event of this provider. */
type Take = (event: Fields, begun: Map<string, Begun>) => boolean;

const chatCall: Begun["written"] = (name, args) => ({
  type: "function",
  function: { name, arguments: args },
});
const responseCall: Begun["written"] = (name, args) => ({
  type: "function_call",
  name,
  arguments: args,
});
// The text stays as the model wrote it, also if it was cut.
const block: Begun["written"] = (name, args) => ({ type: "tool_use", name, input: args });

const openAiChat: Take = ({ choices }, begun) => {
  if (!Array.isArray(choices)) return false;
  const deltas = choices.filter(isRecord).filter(({ delta }) => isRecord(delta));
  for (const { index: choice, delta } of deltas) {
    const { tool_calls: pieces } = delta as Fields;
    for (const [place, piece] of (Array.isArray(pieces) ? pieces : []).entries()) {
      if (!isRecord(piece)) continue;
      const called = isRecord(piece["function"]) ? piece["function"] : {};
      const key = JSON.stringify(["chat", choice, piece["index"] ?? place]);
      add(begun, key, chatCall, called["name"], called["arguments"]);
    }
  }
  return deltas.length > 0;
};

const openAiResponses: Take = (event, begun) => {
  const { type, item, delta, arguments: args } = event;
  if (typeof type !== "string" || !type.startsWith("response.")) return false;
  const key = `response ${String(event["output_index"])}`;
  const called = isRecord(item) && item["type"] === "function_call" ? item : undefined;
  if (called !== undefined) add(begun, key, responseCall, called["name"], "");
  if (type === "response.function_call_arguments.delta")
    add(begun, key, responseCall, undefined, delta);
  const written = called?.["arguments"] ?? args;
  const call = begun.get(key);
  // The last events repeat the whole arguments.
  if (type.endsWith(".done") && call !== undefined && typeof written === "string")
    call.args = written;
  return type !== "response.completed" || begun.size > 0;
};

const anthropic: Take = ({ type, index, content_block: opened, delta }, begun) => {
  const key = `block ${String(index)}`;
  if (type === "content_block_start" && isRecord(opened) && opened["type"] === "tool_use")
    add(begun, key, block, opened["name"], "");
  if (type === "content_block_delta" && isRecord(delta) && begun.has(key))
    add(begun, key, block, undefined, delta["partial_json"]);
  return typeof type === "string" && /^(?:content_block|message)_/.test(type);
};

const PROVIDERS: readonly Take[] = [openAiChat, openAiResponses, anthropic];

function add(
  begun: Map<string, Begun>,
  key: string,
  written: Begun["written"],
  name: unknown,
  piece: unknown,
): void {
  const call = begun.get(key) ?? { name: undefined, args: "", written };
  call.name ??= name;
  if (typeof piece === "string") call.args += piece;
  begun.set(key, call);
}

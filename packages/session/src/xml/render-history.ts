import { jsonOrText } from "@toolcontract/core/adapter";
import {
  type NextTurn,
  REPORT_TOOL,
  type XmlCall,
  type XmlMessage,
  type XmlRequestMessage,
  type XmlResult,
  type XmlState,
} from "../shared/index.ts";
import { renderNext } from "./render-next.ts";
import { tag, payloadText, withoutTags, withoutTagsInJson, withoutFrame } from "./tags.ts";

/**
 * Renders a stored history as the messages of one request. None of it is stored, so a run's history stays native and
 * another run may go on with it in another transport. The slots in it count as used.
 *
 * - In the mode `xml`, each assistant message becomes one text, and each result a message of the user. Calls with a slot
 *   of this run are shown in their tags. Calls of other runs and transports are shown in words that no scanner reads.
 * - In the mode `xml-final`, native calls and results stay as they are.
 * - A final report is shown as its content. Its result is shown only if it failed.
 * - Tags in results, texts and arguments are made harmless.
 *
 * A message that needs no change comes back as `kept`.
 */
export function renderHistory<M, C extends XmlCall = XmlCall, R extends XmlResult = XmlResult>(
  state: XmlState,
  messages: readonly XmlMessage<M, C, R>[],
): readonly XmlRequestMessage<M, C, R>[] {
  const calls = new Map<string, C>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (typeof part === "string") continue;
      calls.set(part.id, part);
      state.see(part.id);
    }
  }
  return messages.flatMap((message): readonly XmlRequestMessage<M, C, R>[] => {
    if (message.role === "kept") return [message];
    return message.role === "assistant"
      ? renderAssistant(state, message)
      : renderResults(state, message, calls);
  });
}

/** Renders a stored history, and after it the instructions for the next answer: the messages of a whole request. */
export function renderRequest<M, C extends XmlCall = XmlCall, R extends XmlResult = XmlResult>(
  state: XmlState,
  {
    messages,
    next,
  }: {
    /** The stored history. */
    readonly messages: readonly XmlMessage<M, C, R>[];
    /** What the next answer may consist of. */
    readonly next: NextTurn;
  },
): readonly XmlRequestMessage<M, C, R>[] {
  const history = renderHistory(state, messages);
  return [...history, { role: "user", text: renderNext(state, next) }];
}

type Assistant<M, C extends XmlCall, R extends XmlResult> = Extract<
  XmlMessage<M, C, R>,
  { readonly role: "assistant" }
>;
type Tool<M, C extends XmlCall, R extends XmlResult> = Extract<
  XmlMessage<M, C, R>,
  { readonly role: "tool" }
>;

function renderAssistant<M, C extends XmlCall, R extends XmlResult>(
  state: XmlState,
  { content, message }: Assistant<M, C, R>,
): readonly XmlMessage<M, C, R>[] {
  const rendered = content.map((part) => {
    if (typeof part === "string") return withoutTags(part);
    const isNative = state.mode === "xml-final" && part.name !== REPORT_TOOL;
    return isNative ? part : renderCall(state, part);
  });
  if (rendered.every((part, index) => part === content[index])) return [{ role: "kept", message }];
  const text = rendered.flatMap((part) => (typeof part === "string" && part !== "" ? [part] : []));
  const calls = rendered.filter((part) => typeof part !== "string");
  const parts = [...(text.length > 0 ? [text.join("\n")] : []), ...calls];
  // Providers refuse a message without content.
  return parts.length > 0 ? [{ role: "assistant", content: parts, message }] : [];
}

function renderResults<M, C extends XmlCall, R extends XmlResult>(
  state: XmlState,
  { results, message }: Tool<M, C, R>,
  calls: ReadonlyMap<string, C>,
): readonly XmlRequestMessage<M, C, R>[] {
  const isNative = ({ name }: R): boolean => state.mode === "xml-final" && name !== REPORT_TOOL;
  const native = results.filter(isNative);
  if (native.length === results.length) return [{ role: "kept", message }];
  const shown = results
    .filter(
      (result) => !isNative(result) && (result.name !== REPORT_TOOL || result.isFailed === true),
    )
    .map((result) => ({
      role: "user" as const,
      text: renderResult(state, { ...result, request: calls.get(result.id)?.arguments }),
      result,
    }));
  return [
    ...(native.length > 0 ? [{ role: "tool" as const, results: native, message }] : []),
    ...shown,
  ];
}

/** Renders one call of a history as the text that stands for it in the assistant's message. */
export function renderCall(state: XmlState, { id, name, arguments: given }: XmlCall): string {
  const written = withoutTagsInJson(payloadText(given));
  if (name === REPORT_TOOL) return withoutTags(reportIn(given));
  if (!state.owns(id)) return withoutTags(`[earlier call of ${name}: ${written}]`);
  return tag(id, { tool: name }, written);
}

/**
 * Renders one result as the text of the user's message that shows it. `request` is what the call was made with, and is
 * left out if it is not known.
 *
 * @see packages/session/README.md
 */
export function renderResult(
  state: XmlState,
  {
    id,
    name,
    response,
    isFailed = false,
    request,
  }: XmlResult & {
    /** The arguments of the call, as a JSON string or a value. */
    readonly request?: unknown;
  },
): string {
  const duration = state.durations.get(id);
  return [
    `System Notice: tool response for ${slotOf(state, id, name)} (${withoutTags(name)})`,
    `Status: ${isFailed ? "failed" : "ok"}`,
    ...(duration === undefined ? [] : [`Duration: ${Math.round(duration)} ms`]),
    ...(request === undefined
      ? []
      : ["<request>", withoutTagsInJson(payloadText(request)), "</request>"]),
    "<response>",
    withoutFrame(payloadText(response)),
    "</response>",
  ].join("\n");
}

function slotOf(state: XmlState, id: string, name: string): string {
  if (!state.owns(id)) return "an earlier call";
  return name === REPORT_TOOL ? `${state.nonce}-FINAL` : id;
}

/** The content of a report's arguments, without their wrapper. */
function reportIn(given: unknown): string {
  const value: unknown = typeof given === "string" ? jsonOrText(given) : given;
  if (typeof value !== "object" || value === null) return payloadText(given);
  const { content, content_json: json, messages }: Readonly<Record<string, unknown>> = { ...value };
  return payloadText(content ?? json ?? messages ?? given);
}

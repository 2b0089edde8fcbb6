import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { countAttempts, EscalationError, type ModelTurn, type Refused } from "@toolcontract/core";
import {
  isObserving,
  isRecord,
  isToolClosed,
  lastWords,
  nextOffer,
} from "@toolcontract/core/adapter";
import type { WrapModelCallHook } from "langchain";
import { isUnread } from "./call-text.ts";
import { escalationMessage, escalationOf, freshEscalations, isStuck } from "./escalation.ts";
import { withForcedRetry } from "./force-retry.ts";
import { checkContractCall, observeContractCall, refuseContractCall } from "./guarded-run.ts";
import { createHeldBackAnswers, type HeldBackAnswers } from "./held-back-answers.ts";
import { type HistoryAgent, rejectionMessage, turnsFromMessages } from "./history.ts";
import type { HookedRequest, ModelHandler } from "./hooks.ts";
import { READ_TOO_LATE } from "./host-errors.ts";
import { keepTurns } from "./kept-turns.ts";
import { type NativeCall, textOfMessage } from "./messages.ts";
import type { MiddlewareGuard } from "./options.ts";
import { watchOffered } from "./offered-names.ts";
import { judgingOutput } from "./output.ts";
import { noteOutsideAgents } from "./outside-agents.ts";
import { promoteInvalidToolCalls } from "./promote.ts";
import { readCall } from "./read-call.ts";
import { rewriteMessage } from "./rewrite-message.ts";
import { originOfHook } from "./runs.ts";
import { sendableMessages } from "./sendable-messages.ts";
import { anyTool, isNamedTool, type NamedTool, namesOfTools } from "./tool-definitions.ts";
import { withHeldBack } from "./valid-calls-only.ts";

/**
 * Creates the `wrapModelCall` hook: escalates before the model is asked again, and promotes unreadable calls. A stage is
 * not shown the tools named in `own`, whose calls the middleware takes itself.
 */
export function wrapModelCallFor(
  guard: MiddlewareGuard,
  own: readonly string[] = [],
): WrapModelCallHook {
  let isChecked = false;
  const heldBackAnswers = createHeldBackAnswers(guard);
  return async (request, handler) => {
    // Other middleware may offer fewer tools later.
    if (!isChecked) checkOfferedTools(request.tools, own, guard);
    isChecked = true;
    const origin = originOfHook(guard, request.runtime);
    const agent = guard.agents.of(request, origin);
    const ending = endOfEscalated(request, agent, guard);
    if (ending) return ending;
    const turns = turnsFromMessages(request.state.messages, agent);
    const { request: sent, words } = offerOf(request, turns, guard);
    const repaired = await withSendable(sent, heldBackAnswers);
    const asking =
      guard.judgesOutput && !isObserving(guard.contract) ? judgingOutput(handler, guard) : handler;
    const shown = withShownSchemas(repaired, guard);
    const forced = guard.forcesRetry ? withForcedRetry(shown) : shown;
    const watched = watchOffered(forced);
    const given = await askModel(watched.request, asking, guard);
    const isPlain = words !== undefined && AIMessage.isInstance(given);
    const answer = isPlain ? answerInWords(given, words) : given;
    // Structured output that LangChain could read is not a message.
    const message = AIMessage.isInstance(answer)
      ? await withHeldBack(answer, request, guard)
      : answer;
    keepTurns(message, turns, guard.contract);
    guard.agents.remember(message, origin);
    const isOutput = structuredOutputNames(request);
    const shownTools = watched.given()?.filter(({ name }) => !isOutput(name));
    guard.offered.remember(message, { tools: request.tools, given: shownTools }, origin);
    return message;
  };
}

/** The request with a history that every provider takes; the same if it is one. */
async function withSendable(
  request: HookedRequest,
  heldBackAnswers: HeldBackAnswers,
): Promise<HookedRequest> {
  const { modelSettings, messages } = request;
  // OpenAI keeps what came before, and the calls are there.
  if (isRecord(modelSettings) && modelSettings["previous_response_id"]) return request;
  const sent = sendableMessages(messages, await heldBackAnswers(request));
  return sent === messages ? request : { ...request, messages: [...sent] };
}

function checkOfferedTools(
  tools: readonly unknown[],
  own: readonly string[],
  guard: MiddlewareGuard,
): void {
  const { contract, team } = guard;
  const names = [...new Set([...namesOfTools(tools), ...(team?.tools ?? [])])];
  contract.settings.checkTools(names.filter((name) => !own.includes(name)));
  noteOutsideAgents(tools, guard);
}

/** The message that ends the run instead of the model's; undefined if the run goes on. */
function endOfEscalated(
  { state }: HookedRequest,
  agent: HistoryAgent | undefined,
  { escalate, endNext }: MiddlewareGuard,
): AIMessage | undefined {
  const { messages } = state;
  const fresh = freshEscalations(messages, agent);
  const [first] = fresh;
  if (escalate === "throw" && first) throw new EscalationError(first);
  if (escalate === "end" && fresh.length > 0) return escalationMessage(fresh);
  // The model was asked to stop, and only called a blocked tool again.
  const last =
    escalate !== "drop-tool" && !endNext && isStuck(messages, agent)
      ? escalationOf(messages)
      : undefined;
  if (last && escalate === "throw") throw new EscalationError(last);
  return last && escalationMessage([last]);
}

/** A request as the rule for blocked tools has it; with the words of an end if the model may call nothing. */
interface Offered {
  readonly request: HookedRequest;
  readonly words?: string;
}

/** The request without the blocked tools, or without any once the model calls only those. */
function offerOf(
  request: HookedRequest,
  turns: readonly ModelTurn[],
  guard: MiddlewareGuard,
): Offered {
  if (guard.escalate !== "drop-tool") return { request };
  const { scope } = guard.contract.settings;
  const declaredTools = namesOfTools(request.tools);
  const isBlocked = (name: string): boolean =>
    isToolClosed(countAttempts(turns, name, scope, { declaredTools }));
  const nameOf = (tool: unknown): string | undefined => (isNamedTool(tool) ? tool.name : undefined);
  const { tools, isForWords } = nextOffer(request.tools, { nameOf, isBlocked, turns });
  if (isForWords && guard.endNext) guard.endNext(request);
  else if (isForWords)
    return { request: inWords({ ...request, tools: [...tools] }), words: lastWords(turns) };
  if (tools.length === request.tools.length) return { request };
  const forced = forcedName(request.toolChoice);
  const isForced = typeof forced === "string" && isBlocked(forced);
  return {
    request: { ...request, tools: [...tools], ...(isForced && { toolChoice: "auto" as const }) },
  };
}

/** Structured output may be a call: then its tool is the only one. */
function inWords(request: HookedRequest): HookedRequest {
  return request.responseFormat === undefined
    ? { ...request, toolChoice: "none" }
    : { ...request, tools: [] };
}

/** The message without the calls that the model made anyway; with words of ours if it has none of its own. */
function answerInWords(message: AIMessage, words: string): AIMessage {
  if ((message.tool_calls ?? []).length === 0) return message;
  const said = rewriteMessage(message, []);
  if (textOfMessage(said).trim() !== "") return said;
  const { id, response_metadata } = said;
  return new AIMessage({ content: words, response_metadata, ...(id !== undefined && { id }) });
}

/**
 * The request with the tools as the model is shown them.
 *
 * @remarks In the form that every chat model takes: LangChain accepts another object for a tool only if it is not one that it could
 * run. Other middleware finds the name where tools have it, and providers do not.
 */
function withShownSchemas(request: HookedRequest, { shown }: MiddlewareGuard): HookedRequest {
  const tools = request.tools.map((tool) => {
    const parameters = isNamedTool(tool) ? shown(tool) : undefined;
    if (parameters === undefined) return tool;
    const { name, description } = tool as NamedTool & { readonly description?: string };
    const written = { type: "function", function: { name, description, parameters } };
    return Object.defineProperty(written, "name", { value: name });
  });
  return tools.every((tool, index) => tool === request.tools[index])
    ? request
    : { ...request, tools };
}

/** The name of the tool that a tool choice forces; each provider has its own shape for it. */
function forcedName(choice: unknown): unknown {
  if (!isRecord(choice)) return choice;
  const { function: named = choice } = choice;
  return isRecord(named) ? named["name"] : undefined;
}

/**
 * Asks the model, and promotes the calls in its answer that could not be read.
 *
 * Structured output is a call too, but LangChain reads it before any middleware and never routes it to a tool. If its
 * JSON is malformed, the model gets the contract's answer and is asked again at once.
 */
async function askModel(
  request: HookedRequest,
  handler: ModelHandler,
  guard: MiddlewareGuard,
): Promise<AIMessage> {
  const retries: BaseMessage[] = [];
  const isOutputName = structuredOutputNames(request);
  for (;;) {
    // Other middleware edits the list itself, which is the state's.
    const asked =
      retries.length === 0 ? request : { ...request, messages: [...request.messages, ...retries] };
    const reply: unknown = await handler(asked);
    // Structured output that LangChain could read is not a message.
    if (!AIMessage.isInstance(reply)) return reply as AIMessage;
    if (isObserving(guard.contract)) {
      await observeUnread(reply, request, guard);
      return reply;
    }
    const message = promoteInvalidToolCalls(reply, guard);
    const calls: readonly NativeCall[] = message.tool_calls ?? [];
    const outputs = calls.filter(({ name }) => isOutputName(name));
    // LangChain has answered these calls already, and refers to the model's own message.
    const wasParsed = (call: NativeCall): boolean =>
      !isUnread(call) && (reply.tool_calls ?? []).some(({ name }) => name === call.name);
    if (outputs.some(wasParsed)) return reply;
    if (outputs.length === 0) return message;
    if (outputs.length < calls.length) {
      const others = calls.flatMap((call, from) =>
        outputs.includes(call) ? [] : [{ from, call: { ...call, id: call.id ?? "" } }],
      );
      return rewriteMessage(message, others);
    }
    retries.push(message);
    const history = [...request.state.messages, ...retries];
    const answers = await Promise.all(
      outputs.map(
        async (call) => [call, await refuseOutput(call, history, request, guard)] as const,
      ),
    );
    const spent = answers.flatMap(([, one]) => (one.status === "blocked" ? [one.escalation] : []));
    if (spent.length > 0) return escalationMessage(spent);
    retries.push(...answers.map(([call, answer]) => rejectionMessage({ call }, answer)));
  }
}

/** Counts the calls that no client could parse: they are LangChain's own to answer. */
async function observeUnread(
  reply: AIMessage,
  { state, runtime, tools }: HookedRequest,
  guard: MiddlewareGuard,
): Promise<void> {
  const { contract, definitions } = guard;
  const origin = originOfHook(guard, runtime);
  const messages = [...state.messages, reply];
  const declaredTools = namesOfTools(tools);
  const named = (tools as readonly unknown[]).filter(isNamedTool);
  for (const { id, name = "unknown", args = "" } of reply.invalid_tool_calls ?? []) {
    const sent = { name, args: {}, ...(id !== undefined && { id }) };
    const call: NativeCall = { ...sent, toolcontract: { rawText: args } };
    const read = readCall({ call, messages, origin, declaredTools }, contract);
    const own = named.find((one) => one.name === name);
    const found = own
      ? { tool: definitions.of(own) }
      : { tools: [...declaredTools].map((one) => ({ name: one })) };
    const where = { ...origin, signal: runtime.signal };
    await observeContractCall(read, found, where, contract);
  }
}

async function refuseOutput(
  call: NativeCall,
  messages: readonly BaseMessage[],
  { runtime }: HookedRequest,
  guard: MiddlewareGuard,
): Promise<Refused> {
  const { contract } = guard;
  const { signal } = runtime;
  const origin = originOfHook(guard, runtime);
  const read = readCall({ call, messages, origin }, contract);
  const tool = anyTool(call.name);
  const found = await checkContractCall(read, tool, contract, signal);
  const checked = found.status === "valid" ? READ_TOO_LATE : found;
  return refuseContractCall(read, { tool, checked }, { ...origin, signal }, contract);
}

/** Returns a function that says whether a call of this name is structured output and not a tool. */
export function structuredOutputNames({
  responseFormat,
  tools,
}: Pick<HookedRequest, "responseFormat" | "tools">): (name: string) => boolean {
  const format: unknown = responseFormat;
  const formats: readonly unknown[] = Array.isArray(format) ? format : [format];
  const given = new Set(formats.flatMap(namesOfFormat));
  const ofTools = namesOfTools(tools);
  return (name) => !ofTools.has(name) && (name.startsWith("extract-") || given.has(name));
}

/** The name of a strategy, or the title of a schema; zod keeps the title in its metadata. */
function namesOfFormat(format: unknown): readonly unknown[] {
  if (!isRecord(format)) return [];
  const { name, title, meta } = format;
  const metadata: unknown = typeof meta === "function" ? meta.call(format) : undefined;
  return [name, title, isRecord(metadata) ? metadata["title"] : undefined];
}

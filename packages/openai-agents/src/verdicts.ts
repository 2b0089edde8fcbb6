import type { AgentInputItem } from "@openai/agents";
import {
  type Admission,
  type CallContext,
  type Contract,
  countAttempts,
  EscalationError,
  type ToolCall,
  type ToolDefinition,
} from "@toolcontract/core";
import {
  createRecentMap,
  createVerdictBook,
  isToolClosed,
  lastWords,
  nextOffer,
  isObserving,
  readableArguments,
  sendableName,
  type VerdictBook,
} from "@toolcontract/core/adapter";
import { createJudgedCalls } from "./judged-calls.ts";
import { fullName, renameCalls, repeat, repeatedCalls } from "./message-calls.ts";
import type { StoredRuns } from "./stored-runs.ts";
import type { CallItem, ModelRequest, ModelResponse } from "./sdk.ts";
import { answeredCalls, hasUserMessage, type LookUp, turnsFromItems } from "./turns-from-items.ts";

const MAX_KEPT = 1_000;

/** What judging needs besides the message. */
export interface Judging {
  readonly contract: Contract;
  /** The conversation of all runs, if the host named one. */
  readonly conversationId: string | undefined;
  readonly escalate: "continue" | "throw";
  /** The name of the agent that runs begin with. */
  readonly firstAgent: string;
  /** The definition of a tool that the model was offered; undefined if it does not run inside the contract. */
  readonly definitionOf: (parameters: object) => ToolDefinition | undefined;
  /** Names the run of a call that is not judged with its message. */
  readonly runOf: StoredRuns["of"];
}

/** Judges whole messages, and keeps the verdicts until the runner asks for each call. */
export interface Verdicts extends Pick<VerdictBook, "of" | "run" | "refusedByHost"> {
  /** Whether the contract refuses nothing. */
  readonly isObserving: boolean;
  /** Throws if a tool was blocked in the message before, and the host wants that to end the run. */
  before(request: ModelRequest): void;
  /** What the model is offered: no blocked tool, and nothing at all once it calls only those; then with the words of an end. */
  offer(request: ModelRequest): { readonly request: ModelRequest; readonly words?: string };
  /** Judges the calls of a response, and rewrites arguments that the runner could not read. */
  judge(response: ModelResponse, request: ModelRequest, finishReason?: string): Promise<void>;
  /** The verdict on this very call, which is judged now if it was not before: it may have been approved in another process. */
  on(call: ToolCall, context: CallNow): Promise<Admission>;
  /** The same before it runs: a call that has ended and comes again is another one. */
  due(call: ToolCall, context: CallNow): Promise<Admission>;
}

/** What is known of a call that is not judged with its message. */
interface CallNow {
  readonly tool: ToolDefinition;
  /** What the SDK hands to all calls of the run. */
  readonly context: object;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the verdicts of one contract. */
export function createVerdicts(judging: Judging): Verdicts {
  const { contract, conversationId, escalate, firstAgent, definitionOf, runOf } = judging;
  const book = createVerdictBook(contract);
  const judged = createJudgedCalls();
  const originOf = createOrigins(judging);
  const runs = createRecentMap<string, string>(MAX_KEPT);

  const lookUp: LookUp = ({ callId: id, arguments: args }) =>
    judged.find(id, args) ? { name: book.nameOf(id), marker: book.markerOf(id) } : {};

  function verdictOn({ id, arguments: args }: ToolCall): Admission | undefined {
    const call = judged.find(id, args);
    // A run that waits may be cancelled, and the call go on in another one.
    return call && call.signal?.aborted !== true ? book.of(id) : undefined;
  }

  async function judgeLate(call: ToolCall, now: CallNow): Promise<Admission> {
    const { tool, signal } = now;
    const { id, arguments: args } = call;
    const { runId, message } = runOf(now.context);
    const place = { ...conversationFor(conversationId), runId: runs.get(call.id) ?? runId };
    const sent = message === undefined ? {} : { turnId: message, knowsMessage: true };
    const context = { ...place, ...sent, tool, ...(signal && { signal }) };
    const [verdict] = await book.judge([call], context);
    const written = typeof args === "string" ? args : JSON.stringify(args);
    judged.add(id, { sent: { callId: id, arguments: written }, written, signal });
    return verdict as Admission;
  }

  /** The calls of a message that run if they are valid, and those that came before, each with the first one. */
  function divide(
    response: ModelResponse,
    request: ModelRequest,
    tools: readonly ToolDefinition[],
  ) {
    const handoffs = new Set(request.handoffs.map(({ toolName }) => toolName));
    const own = callsOf(response).filter(({ name, namespace }) => namespace || !handoffs.has(name));
    const repeated = repeatedCalls(
      own,
      answeredCalls(itemsOf(request), lookUp),
      (call) => judged.find(call.callId, call.arguments)?.sent ?? call,
    );
    // A search of the message may yet find the others: they are judged when they are due.
    const searches = response.output.some(({ type }) => type === "tool_search_call");
    const due = own.filter((call) => !repeated.has(call) && !(searches && !isAmong(tools, call)));
    return { due, repeated };
  }

  return {
    ...book,
    isObserving: isObserving(contract),
    before({ input }) {
      if (escalate !== "throw" || typeof input === "string") return;
      const last = input.findLastIndex(({ type }) => type !== "function_call_result");
      const answered = idsOf(input.slice(last + 1));
      for (const item of input) {
        if (item.type !== "function_call" || !answered.has(item.callId)) continue;
        const verdict = verdictOn({ ...item, id: item.callId });
        if (verdict && verdict.status === "blocked" && !verdict.settled)
          throw new EscalationError(verdict.escalation);
      }
    },
    offer(request) {
      const { tools, input, modelSettings } = request;
      if (keepsHistory(request) || typeof input === "string") return { request };
      const { turns } = turnsFromItems(input, lookUp, firstAgent);
      const nameOf = (tool: (typeof tools)[number]): string | undefined =>
        tool.type === "function" ? definitionOf(tool.parameters)?.name : undefined;
      const declaredTools = new Set(tools.flatMap((tool) => nameOf(tool) ?? []));
      const { scope } = contract.settings;
      const offered = nextOffer(tools, {
        nameOf,
        isBlocked: (name) => isToolClosed(countAttempts(turns, name, scope, { declaredTools })),
        turns,
      });
      const left = { ...request, tools: [...offered.tools] };
      if (!offered.isForWords)
        return { request: left.tools.length === tools.length ? request : left };
      const asked = { ...left, modelSettings: { ...modelSettings, toolChoice: "none" as const } };
      return { request: asked, words: lastWords(turns) };
    },
    async judge(response, request, finishReason) {
      const { signal } = request;
      const tools = offeredDefinitions(request, definitionOf);
      const { isKept, context } = originOf(request, response, (id) => runs.get(id));
      if (tools === undefined) return;
      const { due, repeated } = divide(response, request, tools);
      const sent = due.map(({ callId, arguments: args }) => ({ callId, arguments: args }));
      const items = itemsOf(request);
      if (!isKept) {
        const ids = idsOf(items);
        renameCalls(due, (id) => ids.has(id) || book.of(id) !== undefined);
      }
      const last = callsOf(response).at(-1);
      const reason = last?.status === "incomplete" ? "length" : finishReason;
      const verdicts = await book.judge(due.map(toToolCall), {
        ...context,
        tools,
        turnId: globalThis.crypto.randomUUID(),
        knowsMessage: true,
        ...(!isKept && turnsFromItems(items, lookUp, firstAgent)),
        ...(signal && { signal }),
        ...(due.at(-1) === last && { finishReason: reason }),
      });
      for (const [index, verdict] of verdicts.entries()) {
        const item = due[index] as CallItem;
        // The runner parses them before anything else, and asks a person about what it cannot read.
        if (!isObserved(verdict)) item.arguments = readableArguments(item.arguments, verdict);
        if (!isKept && context.runId !== undefined) runs.set(item.callId, context.runId);
        judged.add(item.callId, { sent: sent[index] ?? item, written: item.arguments, signal });
        if (!isKept && !isAmong(tools, item) && !isObserved(verdict))
          item.name = sendableName(item.name);
      }
      for (const [item, first] of repeated) repeat(item, first);
    },
    on: async (call, context) => verdictOn(call) ?? judgeLate(call, context),
    async due(call, context) {
      const known = verdictOn(call);
      if (known?.status !== "admitted") return known ?? judgeLate(call, context);
      // Another process that goes on from the same state knows it by that state alone.
      const hasWaited = runOf(context.context).waiting?.has(call.id) === true;
      const hasEnded = book.markerOf(call.id) !== undefined;
      return hasWaited || hasEnded ? judgeLate(call, context) : known;
    },
  };
}

/** What would be refused goes the SDK's own way. */
function isObserved(verdict: Admission): boolean {
  return verdict.status === "admitted" && verdict.observed !== undefined;
}

function callsOf({ output }: ModelResponse): readonly CallItem[] {
  return output.filter((item) => item.type === "function_call");
}

function toToolCall(call: CallItem): ToolCall {
  return { id: call.callId, name: fullName(call), arguments: call.arguments };
}

function isAmong(tools: readonly ToolDefinition[], call: CallItem): boolean {
  return tools.some(({ name }) => name === fullName(call));
}

function idsOf(items: readonly AgentInputItem[]): ReadonlySet<unknown> {
  return new Set(items.map((item) => "callId" in item && item.callId));
}

/** Whether the server keeps the conversation, so that a request has no history. */
function keepsHistory({ previousResponseId, conversationId }: ModelRequest): boolean {
  return previousResponseId !== undefined || conversationId !== undefined;
}

/** Where a message belongs. */
interface MessageOrigin {
  readonly context: Pick<CallContext, "conversationId" | "runId" | "knowsConversation">;
  /** Whether the server keeps the conversation, so that the request has no history. */
  readonly isKept: boolean;
}

/** Follows conversations that the server keeps: by their id, or from one response to the next. */
function createOrigins({
  conversationId,
}: Judging): (
  request: ModelRequest,
  response: ModelResponse,
  runOfCall: (callId: string) => string | undefined,
) => MessageOrigin {
  const chains = createRecentMap<string, string>(MAX_KEPT);
  const runs = createRecentMap<string, string>(MAX_KEPT);
  return (request, { responseId }, runOfCall) => {
    const { previousResponseId: previous, conversationId: id, input } = request;
    const kept = id ?? (previous === undefined ? undefined : (chains.get(previous) ?? previous));
    const named = conversationId ?? kept;
    if (kept === undefined) {
      const runId = runIn(itemsOf(request), runOfCall) ?? globalThis.crypto.randomUUID();
      return { isKept: false, context: { ...conversationFor(named), runId } };
    }
    if (responseId !== undefined) chains.set(responseId, kept);
    const known = hasUserMessage(input) ? undefined : runs.get(kept);
    const runId = known ?? globalThis.crypto.randomUUID();
    runs.set(kept, runId);
    return { isKept: true, context: { conversationId: named ?? kept, runId } };
  };
}

/** A conversation that nobody names is that of one run. */
function conversationFor(
  conversationId: string | undefined,
): Pick<CallContext, "conversationId" | "knowsConversation"> {
  if (conversationId !== undefined) return { conversationId };
  return { conversationId: "openai-agents", knowsConversation: false };
}

/** The run of the latest call since the user said something; undefined if there is none. */
function runIn(
  items: readonly AgentInputItem[],
  runOfCall: (callId: string) => string | undefined,
): string | undefined {
  for (const item of items.toReversed()) {
    if ("role" in item && item.role === "user") return undefined;
    const run = item.type === "function_call" ? runOfCall(item.callId) : undefined;
    if (run !== undefined) return run;
  }
  return undefined;
}

function itemsOf({ input }: ModelRequest): readonly AgentInputItem[] {
  return typeof input === "string" ? [] : input;
}

/** The function tools of a request; undefined if one of them is not inside the contract: its calls are not ours to judge. */
function offeredDefinitions(
  { tools }: ModelRequest,
  definitionOf: Judging["definitionOf"],
): readonly ToolDefinition[] | undefined {
  const definitions = tools.flatMap((offered) =>
    offered.type === "function" ? [definitionOf(offered.parameters)] : [],
  );
  return definitions.every((one) => one !== undefined) ? definitions : undefined;
}

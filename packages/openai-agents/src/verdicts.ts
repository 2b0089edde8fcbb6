import type { AgentInputItem } from "@openai/agents";
import {
  type CallContext,
  type Contract,
  EscalationError,
  type ToolCall,
  type ToolDefinition,
} from "@toolcontract/core";
import {
  createRecentMap,
  createVerdictBook,
  readableArguments,
  type VerdictBook,
} from "@toolcontract/core/adapter";
import type { CallItem, ModelRequest, ModelResponse } from "./sdk.ts";
import { hasUserMessage, turnsFromItems } from "./turns-from-items.ts";

const MAX_KEPT = 1_000;

/** What judging needs besides the message. */
export interface Judging {
  readonly contract: Contract;
  /** The conversation of all runs, if the host named one. */
  readonly conversationId: string | undefined;
  readonly escalate: "continue" | "throw";
  /** The definition of a tool that the model was offered; undefined if it does not run inside the contract. */
  readonly definitionOf: (parameters: object) => ToolDefinition | undefined;
}

/** Judges whole messages, and keeps the verdicts until the runner asks for each call. */
export interface Verdicts extends Pick<VerdictBook, "of" | "run" | "refusedByHost"> {
  /** Throws if a tool was blocked in the message before, and the host wants that to end the run. */
  before(request: ModelRequest): void;
  /** Judges the calls of a response, and rewrites arguments that the runner could not read. */
  judge(response: ModelResponse, request: ModelRequest): Promise<void>;
  /** Judges a call that is not in the book, such as one that was approved in another process. */
  late(call: ToolCall, tool: ToolDefinition): Promise<void>;
}

/** Creates the verdicts of one contract. */
export function createVerdicts(judging: Judging): Verdicts {
  const { contract, conversationId = "openai-agents", escalate, definitionOf } = judging;
  const book = createVerdictBook(contract);
  const originOf = createOrigins(judging);

  return {
    ...book,
    before({ input }) {
      if (escalate !== "throw" || typeof input === "string") return;
      const last = input.findLastIndex(({ type }) => type !== "function_call_result");
      for (const item of input.slice(last + 1)) {
        const verdict = item.type === "function_call_result" && book.of(item.callId);
        if (verdict && verdict.status === "blocked" && !verdict.settled)
          throw new EscalationError(verdict.escalation);
      }
    },
    async judge(response, request) {
      const offered = offeredDefinitions(request, definitionOf);
      const calls = response.output.filter((item) => item.type === "function_call");
      const handoffs = new Set(request.handoffs.map(({ toolName }) => toolName));
      const own = calls.filter(({ name }) => !handoffs.has(name));
      const origin = originOf(request, response);
      if (offered === undefined || own.length === 0) return;
      if (!origin.isKept) renameCalls(own, (id) => book.of(id) !== undefined);
      const isCut = calls.at(-1)?.status === "incomplete" && own.at(-1) === calls.at(-1);
      const verdicts = await book.judge(
        own.map(({ callId: id, name, arguments: text }) => ({ id, name, arguments: text })),
        {
          ...origin.context,
          tools: offered,
          turnId: globalThis.crypto.randomUUID(),
          ...(!origin.isKept && { turns: turnsFromItems(itemsOf(request), book) }),
          ...(request.signal && { signal: request.signal }),
          ...(isCut && { finishReason: "length" }),
        },
      );
      for (const [index, verdict] of verdicts.entries()) {
        const item = own[index] as CallItem;
        // The runner parses them before anything else, and asks a person about what it cannot read.
        item.arguments = readableArguments(item.arguments, verdict);
        if (!origin.isKept) item.name = sendableName(item.name);
      }
    },
    async late(call, tool) {
      await book.judge([call], { tool, conversationId, knowsRun: false });
    },
  };
}

/** Where a message belongs. */
interface MessageOrigin {
  readonly context: Pick<CallContext, "conversationId" | "runId" | "knowsRun">;
  /** Whether the server keeps the conversation, so that the request has no history. */
  readonly isKept: boolean;
}

/** Follows conversations that the server keeps: by their id, or from one response to the next. */
function createOrigins({
  conversationId,
}: Judging): (request: ModelRequest, response: ModelResponse) => MessageOrigin {
  const chains = createRecentMap<string, string>(MAX_KEPT);
  const runs = createRecentMap<string, string>(MAX_KEPT);
  return (request, { responseId }) => {
    const { previousResponseId: previous, conversationId: id, input } = request;
    const kept = id ?? (previous === undefined ? undefined : (chains.get(previous) ?? previous));
    const named = conversationId ?? kept;
    if (kept === undefined) {
      // The history says which attempts belong to the run; nobody else can.
      return {
        isKept: false,
        context: { conversationId: named ?? "openai-agents", knowsRun: false },
      };
    }
    if (responseId !== undefined) chains.set(responseId, kept);
    const known = hasUserMessage(input) ? undefined : runs.get(kept);
    const runId = known ?? globalThis.crypto.randomUUID();
    runs.set(kept, runId);
    return { isKept: true, context: { conversationId: named ?? kept, runId } };
  };
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

/** Models may repeat an id or leave it out; the runner finds a call by it, and so does the contract. */
function renameCalls(calls: readonly CallItem[], isTaken: (id: string) => boolean): void {
  const seen = new Set<string>();
  for (const call of calls) {
    const { callId } = call;
    if (callId === "" || seen.has(callId) || isTaken(callId)) {
      call.callId = `call_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
    }
    seen.add(call.callId);
  }
}

const MAX_NAME = 64;

/** A name as the next request can have it: providers take no dots, and the SDK throws. */
function sendableName(name: string): string {
  if (name.length <= MAX_NAME && /^[\w-]+$/.test(name)) return name;
  return name.replaceAll(/[^\w-]/g, "_").slice(0, MAX_NAME) || "unknown";
}

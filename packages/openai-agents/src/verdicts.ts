import type { AgentInputItem } from "@openai/agents";
import {
  type Admission,
  type CallContext,
  type Contract,
  countAttempts,
  EscalationError,
  type ResultMarker,
  type ToolDefinition,
} from "@toolcontract/core";
import { createRecentMap, markerFor, readableArguments } from "@toolcontract/core/adapter";
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
export interface Verdicts {
  /** Throws if a tool was blocked in the message before, and the host wants that to end the run. */
  before(request: ModelRequest): void;
  /** Judges the calls of a response, and rewrites arguments that the runner could not read. */
  judge(response: ModelResponse, request: ModelRequest): Promise<void>;
  /** Notes how a call that was admitted ended, which the next message is counted by. */
  ended(callId: string, marker: ResultMarker): void;
  /** The verdict on a call; undefined if it was judged long ago, or in another process. */
  of(callId: string | undefined): Admission | undefined;
}

/** Creates the verdicts of one contract. */
export function createVerdicts(judging: Judging): Verdicts {
  const { contract, escalate, definitionOf } = judging;
  const verdicts = createRecentMap<string, Admission>(MAX_KEPT);
  const ends = createRecentMap<string, ResultMarker>(MAX_KEPT);
  /** The names that the model wrote, where the history has others. */
  const names = createRecentMap<string, string>(MAX_KEPT);
  const originOf = createOrigins(judging);

  return {
    before({ input }) {
      if (escalate !== "throw" || typeof input === "string") return;
      const last = input.findLastIndex(({ type }) => type !== "function_call_result");
      for (const item of input.slice(last + 1)) {
        const verdict = item.type === "function_call_result" && verdicts.get(item.callId);
        if (verdict && verdict.status === "blocked" && !verdict.settled)
          throw new EscalationError(verdict.escalation);
      }
    },
    async judge(response, request) {
      const offered = offeredTools(request, definitionOf);
      const calls = response.output.filter((item) => item.type === "function_call");
      const handoffs = new Set(request.handoffs.map(({ toolName }) => toolName));
      const own = calls.filter(({ name }) => !handoffs.has(name));
      const origin = originOf(request, response);
      if (offered === undefined || own.length === 0) return;
      if (!origin.isKept) renameCalls(own, (id) => verdicts.get(id) !== undefined);
      const declaredTools = new Set(offered.map(({ name }) => name));
      const turns = origin.isKept
        ? []
        : turnsFromItems([...itemsOf(request), ...own], {
            markerOf: (id) => markerFor(verdicts.get(id), ends.get(id)),
            nameOf: (id) => names.get(id),
          });
      const turnId = globalThis.crypto.randomUUID();
      const { scope } = contract.settings;
      await Promise.all(
        own.map(async (item) => {
          const { callId: id, name, arguments: text, status } = item;
          const context: CallContext = {
            ...origin.context,
            tools: offered,
            turnId,
            ...(request.signal && { signal: request.signal }),
            ...(!origin.isKept && {
              attempts: countAttempts(turns, name, scope, { declaredTools }),
            }),
            // Output is cut at its end, so only the last call can be.
            ...(status === "incomplete" && item === calls.at(-1) && { finishReason: "length" }),
          };
          const verdict = await contract.admit({ id, name, arguments: text }, context);
          verdicts.set(id, verdict);
          // The runner parses them before anything else, and asks a person about what it cannot read.
          item.arguments = readableArguments(text, verdict);
          if (origin.isKept || isSendable(name)) return;
          names.set(id, name);
          item.name = name.replaceAll(/[^\w-]/g, "_").slice(0, MAX_NAME) || "unknown";
        }),
      );
    },
    ended: (callId, marker) => ends.set(callId, marker),
    of: (callId) => (callId === undefined ? undefined : verdicts.get(callId)),
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
function offeredTools(
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

/** Whether the next request can have a name as it is: providers take no dots, and the SDK throws. */
function isSendable(name: string): boolean {
  return name.length <= MAX_NAME && /^[\w-]+$/.test(name);
}

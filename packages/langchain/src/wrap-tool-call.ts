import type { Blocked, CallTool } from "@toolcontract/core";
import { createRecentMap, isRecord, type RecentMap } from "@toolcontract/core/adapter";
import type { WrapToolCallHook } from "langchain";
import {
  askAboutEscalation,
  createAsking,
  justBlocked,
  type RunAsking,
  saidBy,
} from "./ask-person.ts";
import { type GuardedReply, runGuarded } from "./guarded-run.ts";
import type { ToolHandler, ToolRequest } from "./hooks.ts";
import { callingMessageOf, turnIdOf } from "./messages.ts";
import type { MiddlewareGuard } from "./options.ts";
import { withOwnState } from "./isolated-state.ts";
import { isOutcome, messageOfOutcome, outcomeIn } from "./outcome.ts";
import { overlayTool } from "./overlay-tool.ts";
import { nameOfCall, positionOf, turnOf } from "./position.ts";
import { readCall } from "./read-call.ts";
import { ambientOf, originOfHook, runNameOf } from "./runs.ts";
import { type Invoke, isInvokable, siblingCall, siblingOf } from "./sibling-call.ts";
import { isNamedTool, namesOfTools, type NamedTool } from "./tool-definitions.ts";
import { replyOf, replyToError, requestWithArguments, type ToolReply } from "./tool-replies.ts";
import { answerUnknownTool } from "./unknown-tool.ts";

const MAX_PENDING = 1_000;

/** Answers by call that wait for a person, because a resumed graph runs the call again from its start. */
type PendingAnswers = RecentMap<string, Blocked>;

/** What running a call of a known tool takes. */
interface RunningTool {
  readonly tool: NamedTool;
  readonly handler: ToolHandler;
  readonly guard: MiddlewareGuard;
  readonly runAsking: RunAsking;
}

/** Creates the `wrapToolCall` hook: validates every call before it runs, and answers the invalid ones. */
export function wrapToolCallFor(guard: MiddlewareGuard): WrapToolCallHook {
  const pending: PendingAnswers = createRecentMap(MAX_PENDING);
  const runAsking = createAsking();
  return async (request, handler) => {
    const { tool } = request;
    if (!isNamedTool(tool)) return answerUnknownTool(request, handler, guard);
    const running = { tool, handler, guard, runAsking };
    if (request.runtime.interrupt === undefined)
      return replyOf(request, await validateAndRun(request, running));
    return guard.escalate === "interrupt"
      ? answerWithPerson(request, running, pending)
      : answerGranted(request, running);
  };
}

/** Runs a call, also after a person was asked. */
async function answerGranted(request: ToolRequest, running: RunningTool): Promise<ToolReply> {
  const answered = await runOrAsk(request, running);
  return "guarded" in answered ? replyOf(request, answered.guarded) : answered.reply;
}

/** The result of a call, or what a person says in its place. */
type HandledCall = { readonly guarded: GuardedReply<ToolReply> } | { readonly reply: ToolReply };

/**
 * Runs a call. If guardrails ask a person about it, the run is interrupted, and the call runs with the grant that it is resumed with.
 *
 * @remarks A resumed graph runs the call from its start, so guardrails ask again: only the grant is kept, by the application.
 */
async function runOrAsk(request: ToolRequest, running: RunningTool): Promise<HandledCall> {
  const { guard, runAsking } = running;
  if (!guard.asksPerson) return { guarded: await validateAndRun(request, running) };
  const answered = await runAsking(
    async (grants) => validateAndRun(request, running, grants),
    (question) => request.runtime.interrupt?.(question),
    nameOfRequest(request, guard),
  );
  return "text" in answered ? { reply: saidBy(request.toolCall, answered.text) } : answered;
}

/** Some providers repeat call ids within a conversation; message ids are unique. A fork of a run keeps both. */
function nameOfRequest(
  { toolCall, state, runtime }: ToolRequest,
  guard: MiddlewareGuard,
): string | undefined {
  const origin = originOfHook(guard, runtime);
  const ambient = ambientOf(runtime);
  const turnId = turnOf(toolCall, state.messages, origin, ambient);
  return nameOfCall(toolCall, origin, turnId, positionOf(toolCall, state.messages, ambient));
}

async function validateAndRun(
  request: ToolRequest,
  running: RunningTool,
  grants: readonly string[] = [],
): Promise<GuardedReply<ToolReply>> {
  const { tool, guard } = running;
  const { toolCall: call, state, runtime } = request;
  const { contract, definitions } = guard;
  const origin = originOfHook(guard, runtime);
  const tools = guard.offered.of(call.id, origin);
  const declaredTools = tools && namesOfTools([tool, ...tools]);
  return runGuarded(
    {
      read: readCall({ call, messages: state.messages, origin, declaredTools }, contract),
      tool: definitions.of(tool),
      sent: call.args,
      ...origin,
      grants,
      position: positionOf(call, state.messages, ambientOf(runtime)),
      signal: runtime.signal,
      run: async (input) => runStaged(requestWithArguments(request, input), running),
      replyTo: (value) => messageOfOutcome(call, value),
      callTool: offeredToolCaller(request, running),
      replyToError: async (thrown, input) =>
        replyToError(thrown, requestWithArguments(request, input), guard.toolErrors),
    },
    contract,
  );
}

/**
 * Runs a call. If a stage may refuse what the tool did, the tool gets a copy of the state, and an outcome that it returns
 * reaches the stage as it is.
 */
async function runStaged(
  request: ToolRequest,
  { guard, handler }: Pick<RunningTool, "guard" | "handler">,
): Promise<ToolReply> {
  const tool: unknown = request.tool;
  if (!guard.contract.settings.hasStage || !isInvokable(tool)) return handler(request);
  let output: unknown;
  let hasRun = false;
  const invoke: Invoke = async (input, config) => {
    hasRun = true;
    output = await tool.invoke(input, withOwnState(config));
    return output;
  };
  const staged = overlayTool(tool, { invoke }) as unknown as ToolRequest["tool"];
  const reply = await handler({ ...request, tool: staged });
  const outcome = hasRun ? output : outcomeIn(reply);
  return isOutcome(outcome) ? (outcome as ToolReply) : reply;
}

/** Calls another tool that the model was offered, through the middleware after this one. */
function offeredToolCaller(
  request: ToolRequest,
  { handler, guard }: RunningTool,
): CallTool | undefined {
  const { toolCall, runtime } = request;
  const tools = guard.offered.of(toolCall.id, originOfHook(guard, runtime));
  if (tools === undefined) return undefined;
  return async (name, args) => {
    const tool = siblingOf(name, tools) as ToolRequest["tool"];
    const call = siblingCall(toolCall.id, name, args);
    return handler({ ...request, tool, toolCall: call });
  };
}

/** Runs a call for `escalate: "interrupt"`: the answer that blocks the tool is shown to a person first. */
async function answerWithPerson(
  request: ToolRequest,
  running: RunningTool,
  pending: PendingAnswers,
): Promise<ToolReply> {
  const { toolCall, state, runtime } = request;
  const origin = originOfHook(running.guard, runtime);
  // Some providers repeat call ids within a conversation; message ids are unique. A fork of a run keeps both.
  const turn = callingMessageOf(toolCall, state.messages)?.message;
  const turnId = turn && turnIdOf(turn, origin);
  const key = JSON.stringify([runNameOf(origin), turnId, toolCall.id, toolCall.args]);
  const waiting = pending.get(key);
  const answered = waiting
    ? { guarded: { status: "refused", answer: waiting } as const }
    : await runOrAsk(request, running);
  if ("reply" in answered) return answered.reply;
  const { guarded } = answered;
  if (guarded.status !== "refused" || !justBlocked(guarded.answer))
    return replyOf(request, guarded);
  // interrupt() throws. LangGraph runs this node again with the reply, so the answer is kept until then.
  pending.set(key, guarded.answer);
  const reply = askAboutEscalation(request, guarded.answer);
  pending.take(key);
  if (typeof reply === "string" && reply !== "") return saidBy(request.toolCall, reply);
  const args = isRecord(reply) ? reply["args"] : undefined;
  return isRecord(args)
    ? replyOf(request, await validateAndRun(requestWithArguments(request, args), running))
    : replyOf(request, guarded);
}

import { ToolMessage } from "@langchain/core/messages";
import type { Blocked, CallContext, CallTool, Refused } from "@toolcontract/core";
import {
  createRecentMap,
  isControlFlow,
  isObserving,
  isRecord,
  mayBeCalled,
  type RecentMap,
} from "@toolcontract/core/adapter";
import type { WrapToolCallHook } from "langchain";
import { createAsking, type RunAsking, saidBy } from "./ask-person.ts";
import {
  checkContractCall,
  type GuardedReply,
  observeContractCall,
  refuseContractCall,
  runGuarded,
} from "./guarded-run.ts";
import { messageOfFailure, markExecuted, rejectionMessage } from "./history.ts";
import type { ToolHandler, ToolRequest } from "./hooks.ts";
import {
  HELD_BACK,
  isInputRefusal,
  isMiddlewareError,
  READ_TOO_LATE,
  refusalTextOf,
  REFUSED_BY_TOOL,
} from "./host-errors.ts";
import { callingMessageOf, turnIdOf } from "./messages.ts";
import type { MiddlewareGuard, ToolErrors } from "./options.ts";
import { withOwnState } from "./isolated-state.ts";
import { isOutcome, messageOfOutcome, outcomeIn } from "./outcome.ts";
import { readUnknownToolReply } from "./unknown-tool-reply.ts";
import { overlayTool } from "./overlay-tool.ts";
import { nameOfCall, positionOf, turnOf } from "./position.ts";
import { readCall } from "./read-call.ts";
import { ambientOf, originOfHook, runNameOf } from "./runs.ts";
import { type Invoke, isInvokable, siblingCall, siblingOf } from "./sibling-call.ts";
import { anyTool, isNamedTool, namesOfTools, type NamedTool } from "./tool-definitions.ts";

type ToolReply = Awaited<ReturnType<ToolHandler>>;

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

function replyOf(
  { toolCall: call, tool }: ToolRequest,
  guarded: GuardedReply<ToolReply>,
): ToolReply {
  if (guarded.status === "executed") return guarded.reply;
  if (guarded.status === "failed") return messageOfFailure(call, guarded.failure);
  return rejectionMessage({ call, tool }, guarded.answer);
}

/** The request with these arguments; the same object if they are the model's. */
function requestWithArguments(request: ToolRequest, input: unknown): ToolRequest {
  const { toolCall } = request;
  if (input === toolCall.args) return request;
  const { id, name } = toolCall;
  const call = { type: "tool_call", name, args: input as typeof toolCall.args } as const;
  return { ...request, toolCall: { ...call, ...(id !== undefined && { id }) } };
}

/**
 * Answers what a tool throws as `createAgent` does without middleware; rethrows interrupts, cancellation and errors of
 * other middleware.
 */
async function replyToError(
  thrown: unknown,
  request: ToolRequest,
  toolErrors: ToolErrors,
): Promise<ToolReply> {
  const isRethrown =
    toolErrors === "throw" ||
    isControlFlow(thrown, request.runtime.signal) ||
    isMiddlewareError(thrown);
  if (isRethrown) throw thrown;
  const { id, name } = request.toolCall;
  const content =
    toolErrors === "default"
      ? (refusalTextOf(thrown) ?? `${String(thrown)}\n Please fix your mistakes.`)
      : await toolErrors(thrown, request);
  // In LangChain's own order: stored states are compared as text.
  return new ToolMessage({ content, tool_call_id: id ?? "", name, status: "error" });
}

/**
 * Answers a call of a tool that the agent does not have. Other middleware may still run it, so the handler decides
 * first, and only LangChain's "not a valid tool" is replaced. A call whose arguments cannot be read is not handed on.
 */
async function answerUnknownTool(
  request: ToolRequest,
  handler: ToolHandler,
  guard: MiddlewareGuard,
): Promise<ToolReply> {
  const { toolCall: call, state, runtime } = request;
  const { messages } = state;
  const { contract } = guard;
  const { signal } = runtime;
  const tool = anyTool(call.name);
  const origin = originOfHook(guard, runtime);
  const asSent = readCall({ call, messages, origin }, contract);
  const where = { ...origin, position: positionOf(call, messages, ambientOf(runtime)), signal };
  const refuse = async (
    found: Pick<CallContext, "tool" | "tools" | "checked">,
    read = asSent,
  ): Promise<ToolReply> =>
    rejectionMessage({ call }, await refuseContractCall(read, found, where, contract));
  const refuseAmong = async (names: readonly string[]): Promise<ToolReply> => {
    const counted = readCall({ call, messages, origin, declaredTools: new Set(names) }, contract);
    const others = [...new Set(names)].filter((name) => name !== call.name);
    return refuse({ tools: others.map((name) => ({ name })) }, counted);
  };
  if (isObserving(contract)) return observeUnknownTool(request, handler, guard, where);
  const known = [...namesOfTools(guard.offered.of(call.id, origin) ?? [])];
  const given = guard.offered.givenFor(call.id, origin);
  const givenNames = given?.map(({ name }) => name);
  // Other middleware might run it, and no stage could guard it; most likely the model invented the name.
  if (!known.includes(call.name) && !mayBeCalled(call.name, contract))
    return refuseAmong(givenNames ?? known);
  if (asSent.isHeldBack) return refuse({ tool, checked: HELD_BACK });
  let { args }: { args: unknown } = call;
  if (asSent.isUnread) {
    const checked = await checkContractCall(asSent, tool, contract, signal);
    if (checked.status === "invalid") return refuse({ tool, checked });
    if (!isRecord(checked.input)) return refuse({ tool, checked: READ_TOO_LATE });
    args = checked.input;
  }
  const sent = requestWithArguments(request, args);
  try {
    const run = async (): Promise<ToolReply> => handler(sent);
    const replyTo = (value: unknown): ToolReply => messageOfOutcome(call, value);
    const onError = async (thrown: unknown): Promise<ToolReply> => {
      if (isInputRefusal(thrown, args)) throw thrown;
      return replyToError(thrown, sent, guard.toolErrors);
    };
    // Nothing is known of the arguments, but a stage judges this tool like any other.
    const guarded = contract.settings.runsTools
      ? await runGuarded(
          { read: asSent, tool, sent: args, ...where, run, replyTo, replyToError: onError },
          contract,
        )
      : { status: "executed" as const, reply: await run().catch(onError) };
    if (guarded.status !== "executed") return replyOf(request, guarded);
    const { reply } = guarded;
    const names = readUnknownToolReply(reply, call.name);
    if (names === undefined) {
      markExecuted(reply);
      return reply;
    }
    return await refuseAmong(givenNames ?? names);
  } catch (thrown) {
    if (!isInputRefusal(thrown, args)) throw thrown;
    const own = given?.find(({ name, schema }) => name === call.name && schema !== undefined);
    if (own === undefined) return refuse({ tool, checked: REFUSED_BY_TOOL });
    const added = guard.definitions.of(own);
    const judged = await checkContractCall(asSent, added, contract, signal);
    return refuse({ tool: added, checked: judged.status === "valid" ? REFUSED_BY_TOOL : judged });
  }
}

/** Leaves a call of a tool that the agent does not have to LangChain, and counts it. */
async function observeUnknownTool(
  request: ToolRequest,
  handler: ToolHandler,
  guard: MiddlewareGuard,
  where: Parameters<typeof observeContractCall>[2],
): Promise<ToolReply> {
  const { toolCall: call, state } = request;
  const run = async (): Promise<ToolReply> => handler(request);
  const reply = await run().catch(async (thrown: unknown) =>
    replyToError(thrown, request, guard.toolErrors),
  );
  const names = readUnknownToolReply(reply, call.name);
  if (names !== undefined) {
    const origin = originOfHook(guard, request.runtime);
    const declaredTools = new Set(names);
    const read = readCall(
      { call, messages: state.messages, origin, declaredTools },
      guard.contract,
    );
    const tools = names.map((name) => ({ name }));
    await observeContractCall(read, { tools }, where, guard.contract);
  }
  return reply;
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

/** Whether this call blocked the tool; a person has already seen the escalation of a tool blocked before. */
function justBlocked(answer: Refused): answer is Blocked {
  return answer.status === "blocked" && !answer.settled;
}

/**
 * Interrupts the run with the escalation, and returns the reply once the run is resumed: `{ args }` runs the call with
 * these arguments, the model reads a string, and anything else leaves the contract's answer as it is.
 */
function askAboutEscalation({ runtime }: ToolRequest, answer: Blocked): unknown {
  const escalation = answer.escalation.toJSON();
  return runtime.interrupt?.({ type: "toolcontract.escalation", escalation });
}

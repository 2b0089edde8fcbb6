import type { Blocked, CallContext, Rejected } from "@toolcontract/core";
import type { WrapToolCallHook } from "langchain";
import { callingMessageOf, textOf, turnIdOf } from "./messages.ts";
import { type MiddlewareParts, conversationIdOf } from "./options.ts";
import { type GuardedReply, checkCall, refuseCall, runGuarded } from "./guarded-run.ts";
import { readCall } from "./read-call.ts";
import { markExecuted, rejectionMessage } from "./history.ts";
import { type NamedTool, isNamedTool } from "./tool-definitions.ts";
import {
  READ_TOO_LATE,
  REFUSED_BY_TOOL,
  type ToolErrors,
  answerToolError,
  isControlFlow,
  isInputRefusal,
  isMiddlewareError,
} from "./host-errors.ts";
import { type RecentMap, createRecentMap, isRecord } from "@toolcontract/core/adapter";
import { ToolMessage } from "@langchain/core/messages";

/** Judges every call before it runs, and answers what is not valid. */
export function wrapToolCallFor(parts: MiddlewareParts): WrapToolCallHook {
  const pending = createPendingAnswers();
  return async (request, handler) => {
    const run: ToolHandler = async (sent) => runTool(sent, handler, parts.toolErrors);
    const { tool } = request;
    if (!isNamedTool(tool)) return answerUnknownTool(request, run, parts);
    return parts.escalate === "interrupt" && request.runtime.interrupt
      ? answerWithPerson(request, { tool, run, parts }, pending)
      : replyOf(request, await judge(request, { tool, run, parts }));
  };
}

interface Answering {
  readonly tool: NamedTool;
  readonly run: ToolHandler;
  readonly parts: MiddlewareParts;
}

async function judge(
  request: ToolRequest,
  { tool, run, parts }: Answering,
): Promise<GuardedReply<ToolReply>> {
  const { toolCall: call, state, runtime } = request;
  const { contract, definitions } = parts;
  return runGuarded(
    {
      judged: readCall({ call, messages: state.messages }, contract),
      tool: definitions.of(tool),
      conversationId: parts.conversationId ?? conversationIdOf(runtime),
      signal: runtime.signal,
      run: async (input) => run(withArguments(request, input)),
    },
    contract,
  );
}

async function answerWithPerson(
  request: ToolRequest,
  answering: Answering,
  pending: PendingAnswers,
): Promise<ToolReply> {
  const { toolCall, state } = request;
  // Ids of calls repeat in some providers' conversations, those of messages do not; a fork of a run keeps both.
  const turn = callingMessageOf(toolCall, state.messages)?.message;
  const key = JSON.stringify([turn && turnIdOf(turn), toolCall.id, toolCall.args]);
  const waiting = pending.get(key);
  const judged = waiting
    ? ({ status: "refused", answer: waiting } as const)
    : await judge(request, answering);
  if (judged.status === "executed" || !isFresh(judged.answer)) return replyOf(request, judged);
  const said = askPerson(request, judged.answer, pending, key);
  if (said.status === "told") return said.message;
  if (said.status === "nothing") return replyOf(request, judged);
  return replyOf(request, await judge(withArguments(request, said.args), answering));
}

/** Later calls of a blocked tool were told of already. */
function isFresh(answer: Rejected | Blocked): answer is Blocked {
  return answer.status === "blocked" && !answer.settled;
}

function replyOf(
  { toolCall: call, tool }: ToolRequest,
  guarded: GuardedReply<ToolReply>,
): ToolReply {
  if (guarded.status === "executed") return guarded.reply;
  return rejectionMessage({ call, tool }, guarded.answer);
}

type Hook = WrapToolCallHook;

/** A tool call as createAgent hands it to middleware. */
type ToolRequest = Parameters<Hook>[0];

/** Runs the call, or the middleware below. */
type ToolHandler = Parameters<Hook>[1];

/** The request with arguments other than the model's, where they are other. */
function withArguments(request: ToolRequest, input: unknown): ToolRequest {
  const { toolCall } = request;
  if (input === toolCall.args) return request;
  const { id, name } = toolCall;
  const call = { type: "tool_call", name, args: input as typeof toolCall.args } as const;
  return { ...request, toolCall: { ...call, ...(id !== undefined && { id }) } };
}

/** What createAgent takes as the answer to a call. */
type ToolReply = Awaited<ReturnType<ToolHandler>>;

/**
 * Runs a call and answers what its tool throws as createAgent does where no middleware wraps the call.
 *
 * Interrupts, cancellation, errors of other middleware and LangChain's own refusal of arguments come through.
 */
async function runTool(
  request: ToolRequest,
  handler: ToolHandler,
  toolErrors: ToolErrors,
): Promise<ToolReply> {
  try {
    return await handler(request);
  } catch (thrown) {
    const isPassed =
      isControlFlow(thrown, request.runtime.signal) ||
      isMiddlewareError(thrown) ||
      isInputRefusal(thrown, request.toolCall.args);
    if (isPassed) throw thrown;
    return answerToolError(thrown, request, toolErrors);
  }
}

/**
 * Answers a call whose tool the agent does not know: other middleware may still run it, so it is asked first, and
 * only LangChain's own "not a valid tool" is replaced. Without arguments that can be read nobody is asked.
 */
async function answerUnknownTool(
  request: ToolRequest,
  run: ToolHandler,
  parts: MiddlewareParts,
): Promise<ToolReply> {
  const { toolCall: call, state, runtime } = request;
  const { messages } = state;
  const tool = { name: call.name };
  const judged = readCall({ call, messages }, parts.contract);
  const refuse = async (
    found: Pick<CallContext, "tool" | "tools" | "checked">,
    one = judged,
  ): Promise<ToolReply> => rejectionMessage({ call }, await refuseCall(one, found, runtime, parts));
  let { args }: { args: unknown } = call;
  if (judged.isUnread) {
    const checked = await checkCall(judged, tool, parts.contract, runtime.signal);
    if (checked.status === "invalid") return refuse({ tool, checked });
    if (!isRecord(checked.input)) return refuse({ tool, checked: READ_TOO_LATE });
    args = checked.input;
  }
  try {
    const reply = await run(withArguments(request, args));
    const names = readUnknownToolReply(reply, call.name);
    if (names === undefined) {
      markExecuted(reply);
      return reply;
    }
    const counted = readCall({ call, messages, declaredTools: new Set(names) }, parts.contract);
    const others = names.filter((name) => name !== call.name);
    return await refuse({ tools: others.map((name) => ({ name })) }, counted);
  } catch (thrown) {
    if (!isInputRefusal(thrown, args)) throw thrown;
    return refuse({ tool, checked: REFUSED_BY_TOOL });
  }
}

/**
 * Reads LangChain's own answer to a call of a tool that nobody has, which lists those that there are; undefined for
 * every other answer.
 */
function readUnknownToolReply(reply: unknown, name: string): readonly string[] | undefined {
  if (!ToolMessage.isInstance(reply) || reply.status === "success") return undefined;
  const text = textOf(reply);
  if (!text.startsWith(`Error: ${name} is not a valid tool`)) return undefined;
  const list = /try one of \[(.*)\]\.\s*$/s.exec(text)?.[1] ?? "";
  return list.split(", ").filter((one) => one !== "");
}

/** What a person who was asked may say: arguments in place of the model's, or a text for the model to read. */
type PersonsAnswer =
  | { readonly status: "corrected"; readonly args: Record<string, unknown> }
  | { readonly status: "told"; readonly message: ToolMessage }
  | { readonly status: "nothing" };

/**
 * Interrupts the run with the escalation and reads what the person said once it is resumed: `{ args }` runs the call
 * with these arguments, a text is what the model reads, anything else leaves the contract's answer as it is.
 */
function askPerson(
  { toolCall: { id = "", name }, runtime }: ToolRequest,
  answer: Blocked,
  pending: PendingAnswers,
  key: string,
): PersonsAnswer {
  // What interrupts is thrown: the answer waits for the call to be made again with what the person said.
  pending.set(key, answer);
  const escalation = answer.escalation.toJSON();
  const said: unknown = runtime.interrupt?.({ type: "toolcontract.escalation", escalation });
  pending.take(key);
  if (typeof said === "string" && said !== "") {
    const message = new ToolMessage({ status: "error", name, tool_call_id: id, content: said });
    return { status: "told", message };
  }
  const args = isRecord(said) ? said["args"] : undefined;
  return isRecord(args) ? { status: "corrected", args } : { status: "nothing" };
}

const MOST = 1_000;

/** Answers that wait for a person; a resumed graph runs the call again from its start and must not be told twice. */
type PendingAnswers = RecentMap<string, Blocked>;

/** Makes the register; what is never resumed falls out of it in time. */
function createPendingAnswers(): PendingAnswers {
  return createRecentMap(MOST);
}

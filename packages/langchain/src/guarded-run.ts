import { isDirectToolOutput, type MessageContent, ToolMessage } from "@langchain/core/messages";
import type {
  CallContext,
  CallFailedError,
  CallTool,
  CheckResult,
  Contract,
  Refused,
  ToolCall,
  ToolDefinition,
  WireOutput,
} from "@toolcontract/core";
import { isObserving } from "@toolcontract/core/adapter";
import { isAnyObject } from "@toolcontract/core/adapter";
import { asFailureOfAgent, isErrorReply } from "./given-up.ts";
import { markExecuted } from "./history.ts";
import { HELD_BACK, isInputRefusal, REFUSED_BY_TOOL } from "./host-errors.ts";
import { copyToolMessage, textOfMessage } from "./messages.ts";
import { isOutcome } from "./outcome.ts";
import type { ContractCall } from "./read-call.ts";
import type { CallOrigin } from "./runs.ts";

// The events of a call name a conversation, even if the host does not.
const UNNAMED = "langchain";

/** Where a call is made, and what cancels it. */
interface CallSurroundings extends CallOrigin {
  readonly signal?: AbortSignal | undefined;
  /** Grants of a person for this call. */
  readonly grants?: readonly string[];
  /** Its position among the equal calls of its message. */
  readonly position?: number | undefined;
}

/** A call, its tool, and how to run it. */
export interface GuardedRun<TReply> extends CallSurroundings {
  readonly read: ContractCall;
  readonly tool: ToolDefinition;
  /** The arguments as LangChain has them. */
  readonly sent: unknown;
  /** Calls another tool, for a stage; absent if the tools are unknown. */
  readonly callTool?: CallTool | undefined;
  /** Runs the tool with the arguments as sent, parsed and repaired: LangChain validates and transforms them again. */
  readonly run: (input: unknown) => Promise<TReply>;
  /** The reply to a call whose tool returned an outcome, or whose result a stage replaced, from the value. */
  readonly replyTo: (value: unknown) => TReply;
  /** The reply to a call whose tool threw; rethrows what is not the tool's failure. */
  readonly replyToError?: (thrown: unknown, input: unknown) => Promise<TReply>;
}

/** The tool's own reply, or the contract's answer in its place. */
export type GuardedReply<TReply> =
  | { readonly status: "executed"; readonly reply: TReply }
  | { readonly status: "failed"; readonly failure: CallFailedError }
  | { readonly status: "refused"; readonly answer: Refused };

/** What tools threw: equal calls of a message run once, and share it. */
const thrownByTools = new WeakSet<object>();

/** Validates a call and runs it if it is valid. Rethrows what the tool throws, as the same object. */
export async function runGuarded<TReply>(
  guarded: GuardedRun<TReply>,
  contract: Contract,
): Promise<GuardedReply<TReply>> {
  const { read, tool, sent, run, replyTo, replyToError, callTool, ...where } = guarded;
  const call = callUnderName(read, tool);
  const judged = await checkContractCall(read, tool, contract, where.signal);
  const wasAsked = where.grants !== undefined && where.grants.length > 0;
  const isObserved = isObserving(contract);
  const isHeldBack = read.isHeldBack && !isObserved;
  const checked = isHeldBack && judged.status === "valid" && !wasAsked ? HELD_BACK : judged;
  const context = { ...callContext(read, where), tool, ...(callTool && { callTool }) };
  const admission = await contract.admit(call, { ...context, checked });
  if (admission.status !== "admitted") return { status: "refused", answer: admission };
  // What would be refused is LangChain's own to answer.
  const input = admission.observed ? sent : admission.input;
  let failure: { readonly thrown: unknown } | undefined;
  let ran: unknown;
  let isAgain = true;
  const execute = async (): Promise<TReply> => {
    isAgain = false;
    try {
      const reply = asFailureOfAgent(await run(input), tool.name);
      ran = reply;
      return reply;
    } catch (thrown) {
      failure = { thrown };
      if (isAnyObject(thrown)) thrownByTools.add(thrown);
      throw thrown;
    }
  };
  try {
    const handled = await admission.settle(execute, readReply);
    if (handled.status !== "executed") return { status: "refused", answer: handled };
    const { output, failure: failed, result } = handled;
    if (failed) return { status: "failed", failure: failed };
    // A stage may have put a plain value in place of the tool's message.
    const isPlain = isOutcome(ran) || (output !== ran && ToolMessage.isInstance(ran));
    const own = isAgain ? replyAgain(output, call, replyTo) : isPlain ? replyTo(output) : output;
    const reply = result.isError ? asErrorReply(own) : own;
    return { status: "executed", reply: finished(reply, admission.note()) };
  } catch (thrown) {
    // What the contract or a stage throws is a mistake of the program, not a reply for the model.
    const isOfEqual = isAnyObject(thrown) && thrownByTools.has(thrown);
    if (failure?.thrown !== thrown && !admission.hasRun && !isOfEqual) throw thrown;
    if (isInputRefusal(thrown, input)) {
      if (!admission.observed) {
        const answer = await contract.admit(call, { ...context, checked: REFUSED_BY_TOOL });
        if (answer.status !== "admitted") return { status: "refused", answer };
      }
      if (!isObserved) throw thrown;
    }
    if (!replyToError) throw thrown;
    return {
      status: "executed",
      reply: finished(await replyToError(thrown, input), admission.note()),
    };
  }
}

/** What a call that has run came to, or an equal one of its message, as a reply of its own: the graph gives messages an id. */
function replyAgain<TReply>(
  output: TReply,
  { id }: ToolCall,
  replyTo: (value: unknown) => TReply,
): TReply {
  if (ToolMessage.isInstance(output)) {
    const isOther = output.tool_call_id !== id;
    return copyToolMessage(output, isOther ? { tool_call_id: id, id: undefined } : {}) as TReply;
  }
  return isDirectToolOutput(output) ? output : replyTo(output);
}

function readReply(reply: unknown): WireOutput {
  const content = ToolMessage.isInstance(reply) ? textOfMessage(reply) : "";
  return { content, isError: isErrorReply(reply) };
}

/** A reply as the graph gets it: marked if it reads like an answer of the contract, and with the contract's note. */
function finished<TReply>(reply: TReply, note: string): TReply {
  markExecuted(reply);
  return ToolMessage.isInstance(reply) ? (messageWithNote(reply, note) as TReply) : reply;
}

/** Validates the arguments of a call, without counting an attempt. */
export async function checkContractCall(
  { call, context: { finishReason } }: ContractCall,
  tool: ToolDefinition,
  contract: Contract,
  signal?: AbortSignal,
): Promise<CheckResult> {
  const { rawText } = call;
  return contract.checkAsync(tool, call.arguments, {
    ...(finishReason !== undefined && { finishReason }),
    ...(rawText !== undefined && { rawText }),
    ...(signal && { signal }),
  });
}

/** Answers a call that cannot run, with the reason in `found`. */
export async function refuseContractCall(
  read: ContractCall,
  found: Pick<CallContext, "tool" | "tools" | "checked">,
  where: CallSurroundings,
  contract: Contract,
): Promise<Refused> {
  const call = callUnderName(read, found.tool);
  const answer = await contract.admit(call, { ...callContext(read, where), ...found });
  if (answer.status === "admitted") throw new TypeError("A call that cannot run was admitted");
  return answer;
}

/** Counts a call that goes LangChain's own way. */
export async function observeContractCall(
  read: ContractCall,
  found: Pick<CallContext, "tool" | "tools" | "checked">,
  where: CallSurroundings,
  contract: Contract,
): Promise<void> {
  const call = callUnderName(read, found.tool);
  await contract.admit(call, { ...callContext(read, where), ...found });
}

/** The call as one of its tool: other middleware may run it with a tool of another name. */
function callUnderName({ call }: ContractCall, tool: ToolDefinition | undefined): ToolCall {
  return tool ? { ...call, name: tool.name } : call;
}

function callContext(
  { context }: ContractCall,
  { signal, grants, position, ...origin }: CallSurroundings,
): CallContext {
  const given = {
    ...(grants && { grants }),
    ...(signal && { signal }),
    ...(position !== undefined && { position }),
  };
  return { ...context, ...contextIn(origin), ...given };
}

/** Where calls of this origin are counted. */
export function contextIn({
  conversationId,
  runId,
  agent,
}: CallOrigin): Pick<
  CallContext,
  "conversationId" | "runId" | "agent" | "knowsRun" | "knowsConversation"
> {
  if (conversationId !== undefined) return { conversationId, ...(agent && { agent }) };
  const own = runId === undefined ? { knowsRun: false } : { runId };
  return { conversationId: UNNAMED, knowsConversation: false, ...own };
}

/** A tool's message as one of a tool that failed; anything else as it is. */
function asErrorReply<TReply>(reply: TReply): TReply {
  if (!ToolMessage.isInstance(reply) || reply.status === "error") return reply;
  return copyToolMessage(reply, { status: "error" }) as TReply;
}

/** A tool's message with the contract's note after its content. */
function messageWithNote(reply: ToolMessage, note: string): ToolMessage {
  if (note === "") return reply;
  const { content } = reply;
  const blocks = (list: readonly unknown[]): MessageContent =>
    [...list, { type: "text", text: note }] as MessageContent;
  const noted = typeof content === "string" ? `${content}\n\n${note}` : blocks(content);
  return copyToolMessage(reply, { content: noted });
}

import { type MessageContent, ToolMessage } from "@langchain/core/messages";
import type {
  Blocked,
  CallContext,
  CheckResult,
  Contract,
  Rejected,
  ToolDefinition,
} from "@toolcontract/core";
import { REFUSED_BY_TOOL, isInputRefusal } from "./host-errors.ts";
import type { JudgedCall } from "./read-call.ts";
import { markExecuted } from "./history.ts";
import { textOf } from "./messages.ts";
import { type MiddlewareParts, conversationIdOf } from "./options.ts";

/** A call with its tool, and what running it takes. */
export interface GuardedRun<TReply> {
  readonly judged: JudgedCall;
  readonly tool: ToolDefinition;
  readonly conversationId: string;
  readonly signal?: AbortSignal | undefined;
  /** Runs the tool with the arguments as they were sent, parsed and repaired: LangChain judges them again. */
  readonly run: (input: unknown) => Promise<TReply>;
}

/** What became of a call: the tool's own reply, or the contract's answer in its place. */
export type GuardedReply<TReply> =
  | { readonly status: "executed"; readonly reply: TReply }
  | { readonly status: "refused"; readonly answer: Rejected | Blocked };

/** Judges a call and runs it where it is valid; what the tool throws comes through as the same object. */
export async function runGuarded<TReply>(
  { judged, tool, conversationId, signal, run }: GuardedRun<TReply>,
  contract: Contract,
): Promise<GuardedReply<TReply>> {
  const { call, context } = judged;
  const checked = await checkCall(judged, tool, contract, signal);
  const known: CallContext = { ...context, tool, conversationId, ...(signal && { signal }) };
  const input = checked.status === "valid" ? checked.input : undefined;
  let reply: { readonly value: TReply } | undefined;
  let text = "";
  const execute = async (): Promise<string> => {
    const value = await run(input);
    markExecuted(value);
    reply = { value };
    text = ToolMessage.isInstance(value) ? textOf(value) : "";
    return text;
  };
  try {
    const handled = await contract.handle(call, { ...known, checked, execute });
    if (handled.status !== "executed") return { status: "refused", answer: handled };
    const value = reply?.value as TReply;
    const note = handled.result.content.slice(text.length);
    return {
      status: "executed",
      reply: ToolMessage.isInstance(value) ? (withNote(value, note) as TReply) : value,
    };
  } catch (thrown) {
    if (!isInputRefusal(thrown, input)) throw thrown;
    const answer = await contract.admit(call, { ...known, checked: REFUSED_BY_TOOL });
    if (answer.status === "admitted") throw thrown;
    return { status: "refused", answer };
  }
}

/** Checks the arguments of a call with all that its history says of them. */
export async function checkCall(
  { call, context: { finishReason } }: JudgedCall,
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

/** Answers a call that no tool of the agent's is to run, with what was found wrong with it. */
export async function refuseCall(
  { call, context }: JudgedCall,
  found: Pick<CallContext, "tool" | "tools" | "checked">,
  runtime: { readonly signal?: AbortSignal | undefined },
  { contract, conversationId }: MiddlewareParts,
): Promise<Rejected | Blocked> {
  const { signal } = runtime;
  const answer = await contract.admit(call, {
    ...context,
    ...found,
    conversationId: conversationId ?? conversationIdOf(runtime),
    ...(signal && { signal }),
  });
  if (answer.status === "admitted") throw new TypeError("A call that has no tool was admitted");
  return answer;
}

/** The tool's message with a note of the contract behind its content. */
function withNote(reply: ToolMessage, note: string): ToolMessage {
  if (note.trim() === "") return reply;
  const { content, tool_call_id, name, status, artifact, id, metadata } = reply;
  const blocks = (list: readonly unknown[]): MessageContent =>
    [...list, { type: "text", text: note.trim() }] as MessageContent;
  const fields = {
    content: typeof content === "string" ? content + note : blocks(content),
    additional_kwargs: reply.additional_kwargs,
    response_metadata: reply.response_metadata,
    artifact: artifact as unknown,
    tool_call_id,
    name,
    status,
    id,
    metadata,
  };
  return new ToolMessage(fields as ConstructorParameters<typeof ToolMessage>[0]);
}

import { ToolMessage } from "@langchain/core/messages";
import type { Blocked, CallContext, Contract, Rejected, ToolDefinition } from "@toolcontract/core";
import { withNote } from "./advised-reply.ts";
import { checkCall } from "./check-call.ts";
import { isInputRefusal, REFUSED_BY_TOOL } from "./host-errors.ts";
import type { JudgedCall } from "./judged-call.ts";
import { markExecuted } from "./mark-executed.ts";
import { textOf } from "./message-text.ts";

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

import type { Blocked, CallContext, Rejected } from "@toolcontract/core";
import { conversationIdOf } from "./conversation-id.ts";
import type { JudgedCall } from "./judged-call.ts";
import type { MiddlewareParts } from "./middleware-parts.ts";

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

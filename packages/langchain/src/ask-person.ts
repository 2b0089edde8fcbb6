import { ToolMessage } from "@langchain/core/messages";
import type { Blocked } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import type { PendingAnswers } from "./pending-answers.ts";
import type { ToolRequest } from "./tool-request.ts";

/** What a person who was asked may say: arguments in place of the model's, or a text for the model to read. */
export type PersonsAnswer =
  | { readonly status: "corrected"; readonly args: Record<string, unknown> }
  | { readonly status: "told"; readonly message: ToolMessage }
  | { readonly status: "nothing" };

/**
 * Interrupts the run with the escalation and reads what the person said once it is resumed: `{ args }` runs the call
 * with these arguments, a text is what the model reads, anything else leaves the contract's answer as it is.
 */
export function askPerson(
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

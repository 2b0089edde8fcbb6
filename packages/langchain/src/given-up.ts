import { isDirectToolOutput, ToolMessage } from "@langchain/core/messages";
import { failureOfAgent, isRecord } from "@toolcontract/core/adapter";
import { copyToolMessage, textOfMessage } from "./messages.ts";

/** A tool's reply; as a failure, in words for a model, if it is the summary of an agent that gave up. */
export function asFailureOfAgent<TReply>(reply: TReply, toolName: string): TReply {
  if (ToolMessage.isInstance(reply)) return withFailure(reply, toolName) as TReply;
  const answers = answersIn(reply);
  const failed = answers?.map((one) => withFailure(one, toolName));
  if (failed === undefined || failed.every((one, index) => one === answers?.[index])) return reply;
  // A command, which has no private members.
  const command = reply as object & { readonly update: object };
  const copy = Object.create(Object.getPrototypeOf(command) as object) as object;
  const update = { ...command.update, messages: failed };
  return Object.assign(copy, command, { update }) as TReply;
}

/** Whether a reply says that its tool failed. */
export function isErrorReply(reply: unknown): boolean {
  const messages = ToolMessage.isInstance(reply) ? [reply] : (answersIn(reply) ?? []);
  return messages.some((one) => ToolMessage.isInstance(one) && one.status === "error");
}

/** The messages in a command with which a tool updates the state of its graph. */
function answersIn(reply: unknown): readonly unknown[] | undefined {
  if (!isDirectToolOutput(reply)) return undefined;
  const update = (reply as { readonly update?: unknown }).update;
  const messages = isRecord(update) ? update["messages"] : undefined;
  return Array.isArray(messages) ? messages : undefined;
}

function withFailure(message: unknown, toolName: string): unknown {
  if (!ToolMessage.isInstance(message)) return message;
  const content = failureOfAgent(toolName, textOfMessage(message));
  return content === undefined ? message : copyToolMessage(message, { content, status: "error" });
}

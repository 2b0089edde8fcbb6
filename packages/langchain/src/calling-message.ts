import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { NativeCall } from "./native-call.ts";

/** The model's message that made a call, and where it stands. */
export interface CallingMessage {
  readonly message: AIMessage;
  readonly index: number;
}

/** Finds the message that made a call: the last one that has it, else the last one of the model. */
export function callingMessageOf(
  call: Pick<NativeCall, "id">,
  messages: readonly BaseMessage[],
): CallingMessage | undefined {
  let last: CallingMessage | undefined;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!AIMessage.isInstance(message)) continue;
    last ??= { message, index };
    if (call.id !== undefined && message.tool_calls?.some(({ id }) => id === call.id)) {
      return { message, index };
    }
  }
  return last;
}

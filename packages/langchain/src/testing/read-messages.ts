import type { BaseMessage } from "@langchain/core/messages";
import { textOfMessage } from "../messages.ts";

/** The attempt that a message reports, such as `2/3`; undefined if it is not a rejection. */
export function attemptOf(message: unknown): string | undefined {
  return /\(attempt (\d\/\d)\)/.exec(textOfMessage(message as BaseMessage))?.[1];
}

/** The attempts that the messages report. */
export function attemptsOf(messages: readonly unknown[]): readonly (string | undefined)[] {
  return messages.map(attemptOf);
}

/** The first error code that a message reports. */
export function codeOf(message: unknown): string | undefined {
  return /VAL-\d+/.exec(message === undefined ? "" : textOfMessage(message as BaseMessage))?.[0];
}

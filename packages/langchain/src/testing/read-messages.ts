import type { BaseMessage } from "@langchain/core/messages";
import { textOf } from "../messages.ts";

/** Which attempt a message tells of, such as `2/3`; undefined for one that is no rejection. */
export function attemptOf(message: unknown): string | undefined {
  return /\(attempt (\d\/\d)\)/.exec(textOf(message as BaseMessage))?.[1];
}

/** Which attempts the messages tell of. */
export function attemptsOf(messages: readonly unknown[]): readonly (string | undefined)[] {
  return messages.map(attemptOf);
}

/** The first error code that a message tells of. */
export function codeOf(message: unknown): string | undefined {
  return /VAL-\d+/.exec(message === undefined ? "" : textOf(message as BaseMessage))?.[0];
}

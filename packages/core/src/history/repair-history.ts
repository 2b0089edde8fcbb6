import { ToolContractError } from "@toolcontract/explain";
import { isRecord } from "@toolcontract/explain/adapter";
import { ANTHROPIC } from "./anthropic-messages.ts";
import { CHAT } from "./chat-messages.ts";
import { jsonsOf } from "./dialect.ts";
import { type RepairedHistory, repairMessages } from "./repair-messages.ts";
import { HISTORY_PROVIDERS, type HistoryProvider, rulesOf } from "./rules.ts";

/**
 * Which provider the history is for.
 *
 * @example
 * ```ts
 * const options: RepairHistoryOptions = { provider: "mistral" };
 * ```
 * @see docs/your-own-loop.md
 */
export interface RepairHistoryOptions {
  /**
   * The provider that the next request goes to.
   *
   * @default what every provider takes
   */
  readonly provider?: HistoryProvider;
}

/**
 * Makes a stored conversation one that providers take: a refused name, an id of another provider, arguments that are not an object or a
 * call without an answer are otherwise a 400 for every later request. Nothing is invented: a call without an answer reads that its
 * outcome is unknown, and an answer without a call is left out.
 *
 * @remarks It reads messages of Chat Completions and of Anthropic. The same history gives the same messages, so prompt caches hold.
 * @throws ToolContractError if the messages are not an array, or the provider is unknown.
 *
 * @example
 * ```ts
 * const { messages: sent } = repairHistory(messages, { provider: "anthropic" });
 * ```
 * @see docs/your-own-loop.md
 */
export function repairHistory<TMessage>(
  messages: readonly TMessage[],
  options: RepairHistoryOptions = {},
): RepairedHistory<TMessage> {
  const { provider } = options;
  const rules = rulesOf(provider);
  if (!Array.isArray(messages) || rules === undefined) {
    throw new ToolContractError(
      rules === undefined
        ? `repairHistory: \`provider\` must be one of ${HISTORY_PROVIDERS.join(", ")}, or left out.`
        : "repairHistory: the first argument must be an array of messages.",
    );
  }
  const given: readonly unknown[] = messages;
  const dialect = given.some(hasBlocks) ? ANTHROPIC : CHAT;
  const repaired = repairMessages(given, dialect, rules);
  return { ...repaired, messages: repaired.messages as TMessage[] };
}

function hasBlocks(message: unknown): boolean {
  return (
    isRecord(message) &&
    jsonsOf(message["content"]).some(({ type }) => type === "tool_use" || type === "tool_result")
  );
}

import type { AIMessage } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";

// As OpenAI, Google, Anthropic, Bedrock and Ollama name it.
const NAMES = [
  "finish_reason",
  "finishReason",
  "stop_reason",
  "stopReason",
  "done_reason",
] as const;

/** Why the provider ended the output, in its own words. */
export function finishReasonOf(message: AIMessage): string | undefined {
  const metadata: unknown = message.response_metadata;
  const holders: readonly unknown[] = [metadata, message.additional_kwargs];
  // The Responses API tells it of incomplete outputs only.
  const details = isRecord(metadata) ? metadata["incomplete_details"] : undefined;
  const found = holders.filter(isRecord).flatMap((holder) => NAMES.map((name) => holder[name]));
  const reasons = [isRecord(details) ? details["reason"] : undefined, ...found];
  return reasons.find((reason) => typeof reason === "string");
}

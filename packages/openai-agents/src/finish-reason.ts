import { isRecord, unifiedFinishReason } from "@toolcontract/core/adapter";

/**
 * Why an output ended, in what a model keeps of its provider's answer: a completion or a chunk of one, a response, or a result of
 * the AI SDK. Undefined for any other.
 */
export function finishReasonIn(raw: unknown): string | undefined {
  if (!isRecord(raw)) return undefined;
  const { choices, incomplete_details: details, object, status, finishReason } = raw;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const ofChoice = isRecord(choice) ? choice["finish_reason"] : undefined;
  const ofDetails = isRecord(details) ? details["reason"] : undefined;
  const ofResponse = ofDetails ?? (object === "response" ? status : undefined);
  const reason = ofChoice ?? ofResponse ?? unifiedFinishReason(finishReason);
  return typeof reason === "string" ? reason : undefined;
}

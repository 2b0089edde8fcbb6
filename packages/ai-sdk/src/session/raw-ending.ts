import { isRecord, readMember } from "@toolcontract/core/adapter";

/** What a provider itself says of the end of an answer, in its own body or events. */
export interface RawEnding {
  /** Its own word for why the answer ended. */
  readonly reason?: string;
  /** Its own words for a failure inside of the answer. */
  readonly failed?: string;
}

/**
 * Reads the end of an answer from a body or an event of OpenAI (Chat Completions and Responses), Anthropic, Gemini, Ollama, and
 * servers that speak like them; for what the SDK does not pass on. Never throws.
 */
export function rawEnding(raw: unknown): RawEnding {
  const response = memberOf(raw, "response") ?? raw;
  const choice = firstIn(memberOf(raw, "choices"));
  const reason = [
    readMember(choice, "finish_reason"),
    readMember(memberOf(raw, "delta"), "stop_reason"),
    readMember(raw, "stop_reason"),
    readMember(firstIn(memberOf(raw, "candidates")), "finishReason"),
    readMember(memberOf(raw, "promptFeedback"), "blockReason"),
    readMember(memberOf(response, "incomplete_details"), "reason"),
    readMember(raw, "done_reason"),
  ].find(isWord);
  const failed = [choice, response, raw].map((part) => errorIn(part)).find(isWord);
  return { ...(reason !== undefined && { reason }), ...(failed !== undefined && { failed }) };
}

function errorIn(part: unknown): string | undefined {
  const error = readMember(part, "error");
  if (isWord(error)) return error;
  if (!isRecord(error)) return undefined;
  return [readMember(error, "message"), readMember(error, "code"), "an error"].find(isWord);
}

function memberOf(value: unknown, name: string): object | undefined {
  const member = readMember(value, name);
  return typeof member === "object" && member !== null ? member : undefined;
}

function firstIn(list: unknown): unknown {
  return Array.isArray(list) ? (list as readonly unknown[])[0] : undefined;
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

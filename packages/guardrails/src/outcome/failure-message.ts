import { isArray, readMember } from "@toolcontract/core/adapter";
import { isErrorOutcome } from "./outcome.ts";
import { problemOf } from "./problem.ts";
import { readString } from "./read.ts";

const MAX_MESSAGE = 300;

/**
 * What a model may read about a failure: the words of an `Outcome.error` as they are, of anything else the first line.
 * The caller sanitises it.
 */
export function failureMessage(error: unknown): string {
  if (isErrorOutcome(error)) return error.error_message;
  const text =
    (typeof error === "string" ? error : undefined) ??
    problemOf(error)?.message ??
    readString(error, "message") ??
    textContent(error) ??
    "";
  return messageLine(text) || "the tool failed";
}

/** The first text of an MCP result, or of a message. */
function textContent(result: unknown): string | undefined {
  const content = readMember(result, "content");
  if (typeof content === "string") return content;
  if (!isArray(content)) return undefined;
  for (let index = 0; index < 8; index += 1) {
    const text = readString(readMember(content, index), "text");
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}

function messageLine(text: string): string {
  const [line = ""] = text
    .slice(0, 4096)
    .trimStart()
    .split(/[\r\n\u2028\u2029]/, 1);
  const trimmed = line.trim();
  return trimmed.length <= MAX_MESSAGE ? trimmed : `${trimmed.slice(0, MAX_MESSAGE - 1)}…`;
}

import { contentFieldOf } from "../report/index.ts";
import { REPORT_TOOL, type ReplyFacts, type ReportFormat } from "../shared/index.ts";
import type { XmlEnd, XmlFinalEvent } from "./scanner.ts";

/**
 * Turns the report of an answer into a call of the report tool, with which a framework's loop goes on as if the model
 * had made it natively. The payload goes into the field of the session's format, and nothing of the tag goes into the
 * payload; JSON that can be parsed is, and what cannot is left to the report's own repair.
 */
export function reportCall(
  { id, format, content }: XmlFinalEvent,
  expected: ReportFormat,
): {
  readonly id: string;
  readonly name: string;
  /** The arguments of the report tool, as JSON. */
  readonly arguments: string;
} {
  const wrapper = format === undefined ? {} : { format };
  return {
    id,
    name: REPORT_TOOL,
    arguments: JSON.stringify({
      ...wrapper,
      [contentFieldOf(expected)]: payloadOf(content, expected),
    }),
  };
}

/**
 * What an answer in XML is judged by: the facts of the answer as it was translated, so that text beside tags is no
 * report, and reasoning alone is no answer. Text without any tag stays: on the last turn it is the report.
 */
export function xmlFacts(facts: ReplyFacts, end: XmlEnd): ReplyFacts {
  return {
    ...facts,
    text: end.hasTags ? "" : facts.text,
    hasReasoning: false,
    cut: facts.cut === true || end.isCut,
    ...(end.finishReason !== undefined && { finishReason: end.finishReason }),
  };
}

function payloadOf(content: string, format: ReportFormat): unknown {
  if (contentFieldOf(format) === "content") return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

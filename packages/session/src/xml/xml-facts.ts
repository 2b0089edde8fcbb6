import type { ReplyFacts, XmlEnd } from "../shared/index.ts";

/**
 * What an answer in XML is judged by: the facts of the answer as it was translated, so that text beside tags is no
 * report, and reasoning alone is not an answer. Text without any tag stays: on the last turn it is the report.
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

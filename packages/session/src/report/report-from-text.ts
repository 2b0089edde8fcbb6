import type { FinalReport } from "../shared/index.ts";
import { callAsContent } from "./call-as-content.ts";
import { normalizeReport } from "./normalize-report.ts";
import { readJson } from "./read-json.ts";
import type { ReportOptions } from "./report-options.ts";
import { contentFieldOf } from "./report-tool.ts";
import { readMessages, textMessages } from "./slack-messages.ts";

/**
 * The report in text that the model wrote instead of a call; undefined if the text cannot be one.
 *
 * In the format `"json"`, the text must hold JSON that the output schema accepts. In `"slack-block-kit"`, text that is
 * not JSON becomes sections. The arguments of the report tool, written as text, are read like its call.
 */
export function reportFromText(text: string, options: ReportOptions): FinalReport | undefined {
  if (text.trim() === "") return undefined;
  const result = normalizeReport(argumentsIn(text, options), {
    ...options,
    onEvent: () => undefined,
  });
  return result.status === "ok" ? result.report : undefined;
}

function argumentsIn(text: string, { format }: ReportOptions): unknown {
  if (format === "sub-agent") return { format, content: text };
  const json = readJson(text);
  const call = callAsContent(json?.value, contentFieldOf(format));
  if (call !== undefined) return call;
  switch (format) {
    case "markdown":
    case "text":
      return { format, content: text };
    case "slack-block-kit":
      return { format, messages: readMessages(json?.value) ?? textMessages(text) };
    case "json": {
      // A list within a sentence is hardly the answer: "see [1]".
      const isAnswer = json !== undefined && !(json.hasProse && Array.isArray(json.value));
      return { format, ...(isAnswer && { content_json: json.value }) };
    }
  }
}

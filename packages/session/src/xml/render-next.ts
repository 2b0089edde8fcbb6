import { oneLine } from "@toolcontract/core/adapter";
import {
  type NextTool,
  type NextTurn,
  type OfferedName,
  REPORT_TOOL,
  type ReportFormat,
  type XmlState,
} from "../shared/index.ts";
import { tag, payloadText, withoutFrame, withoutTags, withoutTagsInJson } from "./tags.ts";

// Each slot costs some 30 tokens, and a model may count on.
const SLOTS = 4;

/**
 * Writes the instructions for the next answer: one message in the user's role, the last one of a request and never
 * stored. It has all that a model needs to know of tools, so the system prompt contains none of it.
 *
 * @see packages/session/README.md
 */
export function renderNext(state: XmlState, { tools, isForced, report, slots }: NextTurn): string {
  const offered = offeredTools(state, { tools, isForced });
  return [
    opening(state, isForced, offered.length > 0),
    ...(offered.length > 0 ? [slotPart(state, slots ?? SLOTS), toolPart(offered)] : []),
    reportPart(state, report),
  ].join("\n\n");
}

/** The tools that can be called with a tag in the next answer. */
export function offeredTools(
  { mode }: XmlState,
  { tools, isForced }: Pick<NextTurn, "tools" | "isForced">,
): readonly NextTool[] {
  return isForced || mode === "xml-final" ? [] : tools.filter(({ name }) => name !== REPORT_TOOL);
}

/** Whether a request still offers a tool natively: never the report, and in the mode `xml` only what the provider runs. */
export function isOfferedNatively(
  { mode }: Pick<XmlState, "mode">,
  { name, isProviderDefined = false }: OfferedName,
): boolean {
  return name !== REPORT_TOOL && (mode === "xml-final" || isProviderDefined);
}

function opening({ mode }: XmlState, isForced: boolean, hasTools: boolean): string {
  const rule =
    "Write tags exactly as shown and close each of them. Text outside of tags is not read by anyone.";
  if (isForced) {
    return `System Notice: no tool can be called anymore. Write your final report now, in the tag below, from what you have gathered so far. ${rule}`;
  }
  if (hasTools) {
    return `System Notice: call tools, or end the session with your final report, by writing the tags below. ${rule}`;
  }
  return mode === "xml-final"
    ? `System Notice: call tools as usual. When you are done, end the session with your final report, in the tag below. ${rule}`
    : `System Notice: end the session with your final report, in the tag below. ${rule}`;
}

function slotPart(state: XmlState, slots: number): string {
  const count = Number.isFinite(slots) ? Math.min(Math.max(1, Math.floor(slots)), 32) : SLOTS;
  const templates = state
    .offer(count)
    .map((slot) => tag(slot, { tool: "TOOL" }, '{"argument": "value"}'));
  return [
    "Slots for tool calls. Use them in this order, each for one call, once; replace TOOL with the tool's name and the payload with its arguments as one JSON object:",
    ...templates,
  ].join("\n");
}

function toolPart(tools: readonly NextTool[]): string {
  const described = tools.map(({ name, description = "", inputSchema }) =>
    [
      `- ${tagFreeName(name)}${description === "" ? "" : `: ${inItem(description)}`}`,
      `  Arguments (JSON Schema): ${withoutTagsInJson(payloadText(inputSchema ?? { type: "object" }))}`,
    ].join("\n"),
  );
  return ["Tools:", ...described].join("\n");
}

/** A name as one line; a usual one stays what a model has to write. */
function tagFreeName(name: string): string {
  return oneLine(withoutTags(name), Number.MAX_SAFE_INTEGER);
}

/** A description whose lines all belong to its item of the list, and none to the host. */
function inItem(description: string): string {
  return withoutFrame(description).replaceAll(
    /[^\S\r\n\u2028\u2029]*(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])/g,
    "\n  ",
  );
}

function reportPart({ nonce }: XmlState, report: NextTurn["report"]): string {
  const { format, outputSchema } = report;
  const schema = hasSchema(report)
    ? [`It must match this JSON Schema: ${withoutTagsInJson(payloadText(outputSchema))}`]
    : [];
  return [
    // Notices call it as the contract does.
    "Final report (final_report), which ends the session:",
    tag(`${nonce}-FINAL`, { tool: REPORT_TOOL, format }, `\n${placeholderOf(report)}\n`),
    ...schema,
  ].join("\n");
}

/** Whether a report only repeats what the instructions show in its place. */
export function isReportPlaceholder(content: string, report: NextTurn["report"]): boolean {
  return content.replace(/\s+/g, " ").trim() === placeholderOf(report);
}

function placeholderOf(report: NextTurn["report"]): string {
  const { format } = report;
  return `(replace this line with ${hasSchema(report) ? "your complete answer as JSON, and nothing else" : CONTENT[format]})`;
}

function hasSchema({ format, outputSchema }: NextTurn["report"]): boolean {
  return format === "json" && outputSchema !== undefined;
}

const CONTENT: Readonly<Record<ReportFormat, string>> = {
  markdown: "your complete answer in Markdown",
  text: "your complete answer in plain text",
  json: "your complete answer as a JSON object, and nothing else",
  "slack-block-kit": "your complete answer as a JSON array of Slack messages with Block Kit blocks",
  "sub-agent": "your complete answer",
};

import { READ, reported, says, target } from "../row.ts";
import type { CaseReply, SessionCase } from "../session-case.ts";
import { CUT, EMPTY } from "../texts.ts";
import { openReport, tag, xmlCall, xmlReport } from "../xml-tags.ts";

const NOTHING = "the answer has neither text nor tool calls";

/** A run whose first answer is repeated, and whose second is the report. */
function repeated(
  name: string,
  clause: string,
  first: CaseReply,
  { notice = EMPTY, error }: { readonly notice?: string; readonly error: string },
): SessionCase {
  return {
    name: `in XML, ${name}`,
    clause,
    options: { transport: "xml" },
    tools: [READ],
    targets: [target([first, says(xmlReport())])],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: [
        { to: "pa", roles: "user, user" },
        { to: "pa", notices: [notice], roles: "user, user, user" },
      ],
      conversation: "user, assistant NONCE-FINAL, tool NONCE-FINAL",
      accounting: [`pa failed: ${error}`, "pa ok", "agent__final_report_xml ok"],
    },
  };
}

/** Answers without a call or a report, which are asked for again. */
export const xmlMissingCases: readonly SessionCase[] = [
  repeated(
    "text alone is no answer",
    "Content outside matched tags is ignored",
    says("Two notes."),
    {
      error: "the answer is plain text without tool calls",
    },
  ),
  repeated(
    "reasoning alone is no answer",
    "empty/reasoning-only outputs are treated as missing",
    { reasoning: "Two, I think." },
    { error: NOTHING },
  ),
  repeated(
    "tags that count for nothing are no answer",
    "invalid/mismatched tags are ignored",
    says(
      `Two notes. ${xmlCall("0001", "{}", "nope")}${xmlCall("9999")}${xmlCall("PROGRESS")}${tag("0001", "", "{}")}`,
    ),
    { error: NOTHING },
  ),
  repeated(
    "the instructions' own line is no report",
    "Missing or invalid tags follow the existing retry logic",
    says(xmlReport("(replace this line with your complete answer in Markdown)")),
    { error: NOTHING },
  ),
  repeated(
    "a report that the length limit cut is none",
    "length, max_tokens (truncation): Treat as incomplete, trigger retry",
    { text: openReport("Two no"), finishReason: "length" },
    {
      notice: CUT,
      error: "the answer was cut off at its length limit, inside a tool call",
    },
  ),
  repeated(
    "a call without its closing tag is none",
    "This applies ONLY to agent__final_report; other tools always require complete tags",
    says('<ai-agent-NONCE-0001 tool="read">{"path":"a"}'),
    { error: NOTHING },
  ),
];

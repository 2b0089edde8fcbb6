import { READ, reported, says, target } from "../row.ts";
import type { CaseReply, SessionCase } from "../session-case.ts";
import { CUT, EMPTY } from "../texts.ts";
import { openReport, tag, xmlCall, xmlReport } from "../xml-tags.ts";

/** A run whose first answer is repeated, and whose second is the report. */
interface Repeated {
  readonly name: string;
  readonly clause: string;
  readonly transport?: "xml" | "xml-final";
  readonly first: CaseReply;
  /** What the model reads before it answers again. */
  readonly notice?: string;
  /** Why the first answer is none; by default, it has nothing at all. */
  readonly error?: string;
}

const NOTHING = "the answer has neither text nor tool calls";
const CUT_SHORT = {
  clause: "length, max_tokens (truncation): Treat as incomplete, trigger retry",
  first: { text: openReport("Two no"), finishReason: "length" },
  notice: CUT,
  error: "the answer was cut off at its length limit, inside a tool call",
} as const;

function toCase(row: Repeated): SessionCase {
  const { name, clause, transport = "xml", first, notice = EMPTY, error = NOTHING } = row;
  return {
    name,
    clause,
    options: { transport },
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

const ROWS: readonly Repeated[] = [
  {
    name: "in XML, text alone is not an answer",
    clause: "Content outside matched tags is ignored",
    first: says("Two notes."),
    error: "the answer is plain text without tool calls",
  },
  {
    name: "in XML, reasoning alone is not an answer",
    clause: "empty/reasoning-only outputs are treated as missing",
    first: { reasoning: "Two, I think." },
  },
  {
    name: "in XML, tags that count for nothing are no answer",
    clause: "invalid/mismatched tags are ignored",
    first: says(
      `Two notes. ${xmlCall("0001", "{}", "nope")}${xmlCall("9999")}${xmlCall("PROGRESS")}${tag("0001", "", "{}")}`,
    ),
  },
  {
    name: "in XML, the instructions' own line is not a report",
    clause: "Missing or invalid tags follow the existing retry logic",
    first: says(xmlReport("(replace this line with your complete answer in Markdown)")),
  },
  { name: "in XML, a report that the length limit cut is none", ...CUT_SHORT },
  {
    name: "in xml-final, a report that the length limit cut is none",
    transport: "xml-final",
    ...CUT_SHORT,
  },
  {
    name: "in XML, a call without its closing tag is none",
    clause: "This applies ONLY to agent__final_report; other tools always require complete tags",
    first: says('<ai-agent-NONCE-0001 tool="read">{"path":"a"}'),
  },
];

/** Answers without a call or a report, which are asked for again. */
export const xmlMissingCases: readonly SessionCase[] = ROWS.map(toCase);

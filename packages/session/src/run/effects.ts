import type { FinalReport, RanEffect, ReportFormat } from "../shared/index.ts";
import { jsonText } from "../shared/index.ts";

/** What ran of the tools whose declared effect is not none. */
export interface Effects {
  /** Notes that a call has begun; its outcome is not known until it is noted. */
  begun(tool: string, callId: string): (outcome: RanEffect["outcome"]) => void;
  /** All of them, in the order in which they began; undefined if nothing is declared of any tool. */
  readonly ran: readonly RanEffect[] | undefined;
  /** The tools whose last try did not succeed, as far as it is known, and of which a report says nothing. */
  unsaid(report: FinalReport): readonly RanEffect[];
}

/** Creates the effects of one run. `effectOf` is undefined if nothing can be declared. */
export function createEffects(
  effectOf: ((tool: string) => string | undefined) | undefined,
): Effects {
  const ran: { tool: string; callId: string; outcome: RanEffect["outcome"] }[] = [];
  return {
    begun(tool, callId) {
      const effect = effectOf?.(tool);
      if (effect === undefined || effect === "none") return () => undefined;
      const entry: (typeof ran)[number] = { tool, callId, outcome: "unknown" };
      ran.push(entry);
      return (outcome) => (entry.outcome = outcome);
    },
    get ran() {
      return effectOf && ran.map((one) => ({ ...one }));
    },
    unsaid(report) {
      const last = new Map(ran.map((one) => [one.tool, one]));
      const open = [...last.values()].filter(({ outcome }) => outcome !== "done");
      if (open.length === 0) return [];
      const text = textOf(report);
      if (SAID.test(text)) return [];
      return open.filter(({ tool }) => !namesFailure(text, tool)).map((one) => ({ ...one }));
    },
  };
}

/** Words with which a report says that something was not done. */
const SAID =
  /\b(?:fail(?:s|ed|ure|ing)?|unsuccessful(?:ly)?|errors?|declined|rejected|refused|denied|unable|impossible|cancell?ed|aborted|timed out|unclear|unknown|unconfirmed|not|never|nothing|cannot|(?:could|did|was|were|has|have|can|do|does|is)n['’]?t)\b/i;

/** Whether a report says of a tool what the question asks for, in whatever language it is. */
function namesFailure(text: string, tool: string): boolean {
  const at = text.toLowerCase().indexOf(tool.toLowerCase());
  return at !== -1 && /^[^\p{L}\p{N}]{0,8}(?:failed|unknown)/iu.test(text.slice(at + tool.length));
}

const FIELDS: Readonly<Record<ReportFormat, keyof FinalReport>> = {
  markdown: "content",
  text: "content",
  "sub-agent": "content",
  json: "content_json",
  "slack-block-kit": "messages",
};

function textOf(report: FinalReport): string {
  const value = report[FIELDS[report.format]];
  return typeof value === "string" ? value : (jsonText(value) ?? "");
}

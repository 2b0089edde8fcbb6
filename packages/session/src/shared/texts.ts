/** The name of the tool that ends a run (AI Agent Contract, section 5). */
export const REPORT_TOOL = "agent__final_report";

/** What the model reads after an answer without text and calls; in the next attempt only, never stored (section 2). */
export const EMPTY_NOTICE =
  "System notice: plain text responses without tool calls are ignored. Use final_report to provide your answer.";

/** Added to the request of the last turn, never stored. */
export const FINAL_INSTRUCTION: string = `System notice: this is the last turn. No other tool can be called anymore. Call ${REPORT_TOOL} now, with your final answer from what you have gathered so far.`;

const IN_TEXT: readonly (readonly [string, string])[] = [
  [
    FINAL_INSTRUCTION,
    "System notice: this is the last turn. No tool can be called anymore. Write your final answer now, from what you have gathered so far.",
  ],
  [EMPTY_NOTICE, "System notice: your answer was empty. Write it as text."],
  [`Call ${REPORT_TOOL} with your answer, or write it as text.`, "Write your answer as text."],
  [`call ${REPORT_TOOL} with it.`, "give it again."],
  [`call ${REPORT_TOOL} with what you have.`, "answer with what you have."],
];

/** A notice for a run whose report is text: it names no tool for it. */
export function noticeInText(notice: string): string {
  return IN_TEXT.reduce((text, [from, to]) => text.replace(from, to), notice);
}

/** What the model reads after an answer that ended in the middle of a call. */
export const CUT_NOTICE =
  "System notice: your output was cut off at its length limit, so its tool call could not be read. Send a shorter one.";

/** What the model reads after incomplete text. */
export const SHORTER_NOTICE =
  "System notice: your answer was cut off at its length limit. Give the whole answer in fewer words.";
export const FILTERED_NOTICE =
  "System notice: your answer was ended by the provider's content filter. Give it in other words.";

/** What the model reads after a call that the provider could not read. */
export const UNREADABLE_NOTICE =
  "System notice: your last tool call could not be read. Make the call again, with valid JSON as its arguments.";

/** What the model reads after an answer that it left in its reasoning. */
export const REASONING_NOTICE: string = `System notice: your answer had reasoning alone, which nobody reads. Call ${REPORT_TOOL} with your answer, or write it as text.`;

/** What the model reads once after text without a call, while tools are offered. */
export const NUDGE_NOTICE: string = `System notice: you called no tool. If you have more to do, call the tools that you need. If this was your final answer, call ${REPORT_TOOL} with it.`;

/** What the model reads once after it made the same call with the same result again and again. */
export function noProgress(tool: string, times: number): string {
  return `System notice: you called ${tool} ${times} times with the same arguments, and the result was the same each time. Another such call makes the next turn the last one. Do something else, or call ${REPORT_TOOL} with what you have.`;
}

/**
 * What the model reads instead of a tool's result (section 6).
 *
 * @example
 * ```ts
 * toolFailed("no such page"); // "(tool failed: no such page)"
 * ```
 * @see packages/session/README.md
 */
export function toolFailed(reason: string): string {
  return `(tool failed: ${reason})`;
}

/** The reasons that limits give. */
export const TIMEOUT = "timeout";
export const CONTEXT_EXCEEDED = "context window budget exceeded";
export const LAST_TURN: string = `this is the last turn; only ${REPORT_TOOL} can be called`;
export function tooManyCalls(limit: number): string {
  return `too many tool calls in one turn; limit is ${limit}`;
}

/** The line above a result that was cut (section 1); the line feed is its end. */
export function truncationNotice(size: number, limit: number): string {
  return `[TRUNCATED] Original size ${size} bytes; truncated to ${limit} bytes.\n`;
}

/** The mark between the beginning and the end of a result that was cut. */
export function leftOut(bytes: number): string {
  return `\n[... ${bytes} bytes left out ...]\n`;
}

/** What the model reads after a report that is silent about a call that did not succeed. */
export function unsaidFailure(
  failed: readonly { readonly tool: string; readonly outcome: string }[],
): string {
  const list = failed
    .map(({ tool, outcome }) =>
      outcome === "failed" ? `${tool} failed` : `what ${tool} did is unknown`,
    )
    .join(", and ");
  const words = failed.map(({ tool, outcome }) => `"${tool}: ${outcome}"`).join(" and ");
  return `System notice: in its last call ${list}, and your report does not say so. Give your report again and say what was not done, with the words ${words}; or do it now, if that is still right.`;
}

/** The name of the tool that ends a run (AI Agent Contract, section 5). */
export const REPORT_TOOL = "agent__final_report";

/** What the model reads after an answer without text and calls; in the next attempt only, never stored (section 2). */
export const EMPTY_NOTICE =
  "System notice: plain text responses without tool calls are ignored. Use final_report to provide your answer.";

/** Added to the request of the last turn, never stored. */
export const FINAL_INSTRUCTION: string = `System notice: this is the last turn. No other tool can be called anymore. Call ${REPORT_TOOL} now, with your final answer from what you have gathered so far.`;

/** What the model reads after an answer that ended in the middle of a call. */
export const CUT_NOTICE =
  "System notice: your output was cut off at its length limit, so its tool call could not be read. Send a shorter one.";

/** What the model reads instead of a tool's result (section 6). */
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

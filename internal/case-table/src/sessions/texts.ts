// The contract's words, written out here once more, so that no text of the session package can change unseen.

export const REPORT = "agent__final_report";

export const EMPTY =
  "System notice: plain text responses without tool calls are ignored. Use final_report to provide your answer.";
export const REASONING =
  "System notice: your answer had reasoning alone, which nobody reads. Call agent__final_report with your answer, or write it as text.";

export const FINAL =
  "System notice: this is the last turn. No other tool can be called anymore. Call agent__final_report now, with your final answer from what you have gathered so far.";

/** How the instructions of the last turn begin in XML. */
export const XML_FINAL = "System Notice: no tool can be called anymore.";

export const CUT =
  "System notice: your output was cut off at its length limit, so its tool call could not be read. Send a shorter one.";

export const SHORTER =
  "System notice: your answer was cut off at its length limit. Give the whole answer in fewer words.";
export const FILTERED =
  "System notice: your answer was ended by the provider's content filter. Give it in other words.";
export const NUDGE =
  "System notice: you called no tool. If you have more to do, call the tools that you need. If this was your final answer, call agent__final_report with it.";
export const STUCK =
  "System notice: you called read 3 times with the same arguments, and the result was the same each time. Another such call makes the next turn the last one. Do something else, or call agent__final_report with what you have.";

export const TIMEOUT = "(tool failed: timeout)";
export const NO_ROOM = "(tool failed: context window budget exceeded)";
export const LAST_TURN =
  "(tool failed: this is the last turn; only agent__final_report can be called)";

/** The answer to a call over the cap. */
export function tooMany(limit: number): string {
  return `(tool failed: too many tool calls in one turn; limit is ${limit})`;
}

const FAILURES = {
  max_turns_exhausted:
    "The run ended without a final report: the maximum number of turns was reached.",
  context_window_exceeded: "The run ended without a final report: the context window was exceeded.",
  attempts_exhausted: "The run ended without a final report: all attempts of a turn failed.",
  budget_exhausted: "The run ended without a final report: its budget was used up.",
  no_progress:
    "The run ended without a final report: the same call had the same result again and again.",
  no_answer: "The run ended without a final report: the model gave no answer.",
} as const;

/** The sentence of a synthetic failure. */
export function failureText(reason: keyof typeof FAILURES, detail?: string): string {
  return detail === undefined ? FAILURES[reason] : `${FAILURES[reason]} ${detail}`;
}

import { expect, test } from "vitest";
import {
  CUT_NOTICE,
  EMPTY_NOTICE,
  FILTERED_NOTICE,
  FINAL_INSTRUCTION,
  LAST_TURN,
  noProgress,
  NUDGE_NOTICE,
  SHORTER_NOTICE,
} from "./texts.ts";

// Models read them word for word, so a change of one is a change for everybody's runs.
test.each([
  [
    "nothing was said",
    EMPTY_NOTICE,
    "System notice: plain text responses without tool calls are ignored. Use final_report to provide your answer.",
  ],
  [
    "the turn is the last",
    FINAL_INSTRUCTION,
    "System notice: this is the last turn. No other tool can be called anymore. Call agent__final_report now, with your final answer from what you have gathered so far.",
  ],
  [
    "a call was cut off",
    CUT_NOTICE,
    "System notice: your output was cut off at its length limit, so its tool call could not be read. Send a shorter one.",
  ],
  [
    "text was cut off",
    SHORTER_NOTICE,
    "System notice: your answer was cut off at its length limit. Give the whole answer in fewer words.",
  ],
  [
    "text was filtered",
    FILTERED_NOTICE,
    "System notice: your answer was ended by the provider's content filter. Give it in other words.",
  ],
  [
    "no tool was called",
    NUDGE_NOTICE,
    "System notice: you called no tool. If you have more to do, call the tools that you need. If this was your final answer, call agent__final_report with it.",
  ],
  [
    "a call makes no progress",
    noProgress("poll", 3),
    "System notice: you called poll 3 times with the same arguments, and the result was the same each time. Another such call makes the next turn the last one. Do something else, or call agent__final_report with what you have.",
  ],
  [
    "a tool is called in the last turn",
    LAST_TURN,
    "this is the last turn; only agent__final_report can be called",
  ],
])("what the model reads if %s", (_, text, words) => {
  expect(text).toBe(words);
});

export { contentInWords, endedInWords, streamInWords, textParts } from "./answer-in-words.ts";
export { type PromptTarget, continuesKept, repairPrompt } from "./prompt-messages.ts";
export { type RepairHistoryOptions, repairHistory } from "./repair-history.ts";
export { type Dialect as HistoryDialect, OUTCOME_UNKNOWN, type SentCall } from "./dialect.ts";
export { type HistoryChange, type RepairedHistory, repairWith } from "./repair-messages.ts";
export { type HistoryProvider, sendableName } from "./rules.ts";

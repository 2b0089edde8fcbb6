export { type PromptTarget, continuesKept, repairPrompt } from "./prompt-messages.ts";
export { type RepairHistoryOptions, repairHistory } from "./repair-history.ts";
export type { HistoryChange, RepairedHistory } from "./repair-messages.ts";
export { type HistoryProvider, sendableName } from "./rules.ts";

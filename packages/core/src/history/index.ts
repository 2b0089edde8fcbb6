export {
  type HistoryChange,
  type RepairHistoryOptions,
  type RepairedHistory,
  repairHistory,
} from "./repair-history.ts";
export { type HistoryProvider, sendableName } from "./rules.ts";

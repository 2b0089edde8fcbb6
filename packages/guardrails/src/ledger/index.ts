export { type History, createHistory } from "./history.ts";
export { LIMIT_ROWS, type SpendingLimit, spendingLimit } from "./limits.ts";
export { memoryLedger } from "./memory-ledger.ts";
export {
  type Evidence,
  type OpenEntry,
  type Reconciled,
  reconcile,
  recover,
} from "./open-entries.ts";
export {
  type CallReservation,
  type SpendingFault,
  type Spendings,
  createSpendings,
} from "./spending.ts";
export type { Amounts, Spend, SpendContext } from "./spends.ts";

export {
  type AttemptsDatabase,
  type AttemptsStatement,
  attemptsInTable,
  createAttemptsTable,
} from "./attempts-table.ts";
export {
  type LedgerDatabase,
  type LedgerStatement,
  type RunWhole,
  createLedgerTables,
  ledgerInTables,
} from "./ledger-tables.ts";

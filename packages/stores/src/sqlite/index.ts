// Attempts and limits in SQLite, for the processes of one machine: @toolcontract/stores/sqlite.

export {
  type AttemptsDatabase,
  type AttemptsStatement,
  type SqliteAttemptsOptions,
  sqliteAttempts,
} from "./sqlite-attempts.ts";
export {
  type LedgerDatabase,
  type LedgerStatement,
  type SqliteLedgerOptions,
  sqliteLedger,
} from "./sqlite-ledger.ts";

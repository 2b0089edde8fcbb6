// Attempts in SQLite, for the processes of one machine: @toolcontract/stores/sqlite.

export {
  type AttemptsDatabase,
  type AttemptsStatement,
  type SqliteAttemptsOptions,
  sqliteAttempts,
} from "./sqlite-attempts.ts";

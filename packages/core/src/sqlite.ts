// A store of attempts in SQLite, for the processes of one machine.

export {
  sqliteAttempts,
  type AttemptsDatabase,
  type AttemptsStatement,
  type SqliteAttemptsOptions,
} from "./stores/index.ts";

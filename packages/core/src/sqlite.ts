// A store of attempts in SQLite, for the processes of one machine.

export { sqliteAttempts } from "./stores/index.ts";
export type { AttemptsDatabase, AttemptsStatement, SqliteAttemptsOptions } from "./stores/index.ts";

import type {
  Ledger,
  LedgerClaim,
  LedgerEnd,
  LedgerEntry,
  LedgerShortage,
  LedgerTotals,
} from "@toolcontract/core";
import { addAmounts, fitsAccount } from "@toolcontract/core/adapter";

/** Before any time. */
const NEVER = -1e300;

/** The members of a statement that a ledger uses. */
export interface LedgerStatement {
  /** Runs it for its effect. */
  run(...values: (string | number | null)[]): unknown;
  /** Returns the first row, or undefined. */
  get(...values: (string | number | null)[]): unknown;
  /** Returns all rows. */
  all(...values: (string | number | null)[]): unknown[];
}

/** A database, as far as a ledger uses it: a `DatabaseSync` of `node:sqlite`, or one of better-sqlite3. */
export interface LedgerDatabase {
  /** Runs statements that have no parameters. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): LedgerStatement;
}

/**
 * Runs a write as a whole or not at all.
 *
 * @param mustLast - What is written must not be lost in a power cut.
 */
export type RunWhole = <T>(mustLast: boolean, work: () => T) => T;

/** Makes a ledger in the tables of createLedgerTables(). */
export function ledgerInTables(database: Pick<LedgerDatabase, "prepare">, whole: RunWhole): Ledger {
  const statements = statementsOf(database);

  function sumsOf({ account, after = NEVER }: Pick<LedgerClaim, "account" | "after">): Sums {
    const row = statements.sums.get(account, account, after, account, account, after) as Sums;
    const { spent, over, reserved, inDoubt } = row;
    return { spent: addAmounts(spent, -over), over, reserved, inDoubt };
  }

  /** Forgets what does not count any more. */
  function drop({ account, after }: LedgerClaim, { spent, over }: Sums): void {
    if (after === undefined) return;
    if (over > 0) {
      statements.dropSpent.run(account, after);
      statements.setTotal.run(account, spent);
    }
    statements.dropClaims.run(account, after);
    statements.dropEntries.run(after);
  }

  function spend(claim: LedgerClaim, amount: number, at: number): void {
    const { account, after } = claim;
    const { total = 0 } = (statements.total.get(account) ?? {}) as { readonly total?: number };
    statements.setTotal.run(account, addAmounts(total, amount));
    if (after !== undefined) statements.addSpent.run(account, at, amount);
  }

  function endEntry(id: string, end: LedgerEnd): void {
    const row = statements.entry.get(id) as { readonly body: string } | undefined;
    if (!row) return;
    if (end.state === "in-doubt") {
      statements.doubt.run(end.at ?? null, id);
      return;
    }
    const { claims } = JSON.parse(row.body) as Pick<LedgerEntry, "claims">;
    if (end.state === "spent") {
      for (const claim of claims) {
        spend(claim, end.amounts?.[claim.limit] ?? claim.amount, end.at);
      }
    }
    statements.closeClaims.run(id);
    statements.closeEntry.run(id);
  }

  return {
    reserve: (entry) =>
      whole(true, () => {
        const { id, claims, reservedAt, facts } = entry;
        // It is reserved already: its answer was lost.
        if (statements.entry.get(id) !== undefined) return [];
        const sums = claims.map((claim) => sumsOf(claim));
        const short = claims.flatMap((claim, index): LedgerShortage[] => {
          const totals = totalsOf(sums[index]);
          return fitsAccount(claim, totals) ? [] : [{ limit: claim.limit, totals }];
        });
        if (short.length > 0) return short;
        statements.addEntry.run(id, reservedAt, JSON.stringify({ claims, facts }));
        for (const [index, claim] of claims.entries()) {
          drop(claim, sums[index] ?? NOTHING);
          statements.addClaim.run(claim.account, id, claim.amount);
        }
        return short;
      }),
    // If it is lost in a power cut, the entry is still reserved: it counts, and is asked about.
    end: ({ id }, end) => whole(false, () => endEntry(id, end)),
    totals: (claim) => totalsOf(sumsOf(claim)),
    open: () => (statements.open.all() as readonly EntryRow[]).map(entryOfRow),
  };
}

/** The sums of an account; `over` is what is spent and does not count any more. */
interface Sums extends LedgerTotals {
  readonly over: number;
}

interface EntryRow {
  readonly id: string;
  readonly state: "reserved" | "in-doubt";
  readonly reserved_at: number;
  readonly ended_at: number | null;
  readonly body: string;
}

const NOTHING: Sums = { spent: 0, over: 0, reserved: 0, inDoubt: 0 };

function totalsOf({ spent, reserved, inDoubt }: Sums = NOTHING): LedgerTotals {
  return { spent, reserved: addAmounts(reserved), inDoubt: addAmounts(inDoubt) };
}

function entryOfRow({ id, state, reserved_at, ended_at, body }: EntryRow): LedgerEntry {
  const { claims, facts } = JSON.parse(body) as Pick<LedgerEntry, "claims" | "facts">;
  const ended = ended_at === null ? {} : { endedAt: ended_at };
  return { id, claims, state, reservedAt: reserved_at, facts, ...ended };
}

type LedgerStatements = Readonly<
  Record<
    | "sums"
    | "total"
    | "setTotal"
    | "addSpent"
    | "dropSpent"
    | "dropClaims"
    | "dropEntries"
    | "addEntry"
    | "addClaim"
    | "entry"
    | "doubt"
    | "closeClaims"
    | "closeEntry"
    | "open",
    LedgerStatement
  >
>;

/** Creates the tables, if they are not there. */
export function createLedgerTables(database: Pick<LedgerDatabase, "exec">): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS toolcontract_ledger_entries
      (id TEXT PRIMARY KEY, state TEXT NOT NULL, reserved_at REAL NOT NULL, ended_at REAL, body TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS toolcontract_ledger_claims
      (account TEXT NOT NULL, id TEXT NOT NULL, amount REAL NOT NULL, PRIMARY KEY (account, id)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS toolcontract_ledger_claims_id ON toolcontract_ledger_claims (id);
    CREATE TABLE IF NOT EXISTS toolcontract_ledger_totals (account TEXT PRIMARY KEY, total REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS toolcontract_ledger_spent (account TEXT NOT NULL, at REAL NOT NULL, amount REAL NOT NULL);
    CREATE INDEX IF NOT EXISTS toolcontract_ledger_spent_at ON toolcontract_ledger_spent (account, at);
  `);
}

const OPEN_SUM = `(SELECT coalesce(sum(amount), 0) FROM toolcontract_ledger_claims JOIN toolcontract_ledger_entries USING (id)
  WHERE account = ?`;

function statementsOf(database: Pick<LedgerDatabase, "prepare">): LedgerStatements {
  const table = "toolcontract_ledger";
  return {
    // One statement, so that the sums are of one moment.
    sums: database.prepare(`SELECT
      coalesce((SELECT total FROM ${table}_totals WHERE account = ?), 0) AS spent,
      (SELECT coalesce(sum(amount), 0) FROM ${table}_spent WHERE account = ? AND at <= ?) AS over,
      ${OPEN_SUM} AND state = 'reserved') AS reserved,
      ${OPEN_SUM} AND state = 'in-doubt' AND (ended_at IS NULL OR ended_at > ?)) AS inDoubt`),
    total: database.prepare(`SELECT total FROM ${table}_totals WHERE account = ?`),
    setTotal: database.prepare(
      `INSERT INTO ${table}_totals (account, total) VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET total = excluded.total`,
    ),
    addSpent: database.prepare(`INSERT INTO ${table}_spent (account, at, amount) VALUES (?, ?, ?)`),
    dropSpent: database.prepare(`DELETE FROM ${table}_spent WHERE account = ? AND at <= ?`),
    dropClaims: database.prepare(
      `DELETE FROM ${table}_claims WHERE account = ? AND id IN (SELECT id FROM ${table}_entries WHERE ended_at <= ?)`,
    ),
    dropEntries: database.prepare(
      `DELETE FROM ${table}_entries WHERE ended_at <= ? AND NOT EXISTS (SELECT 1 FROM ${table}_claims WHERE ${table}_claims.id = ${table}_entries.id)`,
    ),
    addEntry: database.prepare(
      `INSERT INTO ${table}_entries (id, state, reserved_at, body) VALUES (?, 'reserved', ?, ?)`,
    ),
    addClaim: database.prepare(
      `INSERT INTO ${table}_claims (account, id, amount) VALUES (?, ?, ?)`,
    ),
    entry: database.prepare(`SELECT body FROM ${table}_entries WHERE id = ?`),
    doubt: database.prepare(
      `UPDATE ${table}_entries SET state = 'in-doubt', ended_at = ? WHERE id = ?`,
    ),
    closeClaims: database.prepare(`DELETE FROM ${table}_claims WHERE id = ?`),
    closeEntry: database.prepare(`DELETE FROM ${table}_entries WHERE id = ?`),
    open: database.prepare(
      `SELECT id, state, reserved_at, ended_at, body FROM ${table}_entries ORDER BY reserved_at, id`,
    ),
  };
}

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

/** Longer than any window, by more than a clock is ahead. */
const LONGEST_MS = 2 * 24 * 3_600_000;

/** Makes a ledger in the tables of createLedgerTables(). */
export function ledgerInTables(database: Pick<LedgerDatabase, "prepare">, whole: RunWhole): Ledger {
  const statements = statementsOf(database);

  function sumsOf({ account, after }: Pick<LedgerClaim, "account" | "after">): Sums {
    const time = after ?? NEVER;
    const names = [account, account, account] as const;
    const row = statements.sums.get(...names, account, time, account, time, account, account, time);
    const { total, gone, until, since, back, reserved, inDoubt } = row as StoredSums;
    // The time may be before the one until which the sum is known: another clock is ahead.
    const over = after === undefined ? 0 : addAmounts(gone, since, -back);
    return { spent: addAmounts(total, -over), over, until, reserved, inDoubt };
  }

  /** The sums of an account without an entry that is taken over. */
  function sumsWithout(claim: LedgerClaim, before: KnownEntry | undefined): Sums {
    const sums = sumsOf(claim);
    const amount = before?.claims.find(({ account }) => account === claim.account)?.amount;
    if (before === undefined || amount === undefined) return sums;
    const { state, endedAt = Infinity } = before;
    if (state === "reserved") return { ...sums, reserved: addAmounts(sums.reserved, -amount) };
    if (endedAt <= (claim.after ?? NEVER)) return sums;
    return { ...sums, inDoubt: addAmounts(sums.inDoubt, -amount) };
  }

  /** Remembers the sum of what does not count any more, and forgets what no window reaches. */
  function tidy({ account, after }: LedgerClaim, { over, until }: Sums, now: number): void {
    if (after === undefined) return;
    if (after > until) statements.setGone.run(account, over, after);
    // What is forgotten is part of the sum that is gone: every window begins later.
    const before = Math.min(now - LONGEST_MS, Math.max(after, until));
    statements.dropSpent.run(account, before);
    statements.dropClaims.run(account, before);
    statements.dropEntries.run(before);
  }

  function spend({ account, after }: LedgerClaim, amount: number, at: number): void {
    const { total = 0 } = (statements.total.get(account) ?? {}) as { readonly total?: number };
    statements.setTotal.run(account, addAmounts(total, amount));
    if (after === undefined) return;
    statements.addSpent.run(account, at, amount);
    statements.addGone.run(amount, account, at);
  }

  function known(id: string): KnownEntry | undefined {
    const row = statements.entry.get(id) as EntryRow | undefined;
    return row && { ...(JSON.parse(row.body) as EntryBody), ...entryOfRow(row) };
  }

  function endEntry(id: string, end: LedgerEnd): void {
    const entry = known(id);
    if (!entry) return;
    const { claims, facts, doubt } = entry;
    if (end.state === "in-doubt" || (end.state === "not-done" && doubt !== undefined)) {
      const at = end.state === "in-doubt" ? end.at : doubt;
      statements.doubt.run(at ?? null, JSON.stringify({ claims, facts }), id);
      return;
    }
    if (end.state === "spent") {
      for (const claim of claims) {
        spend(claim, end.amounts?.[claim.limit] ?? claim.amount, end.at);
      }
    }
    remove(id);
  }

  function remove(id: string): void {
    statements.closeClaims.run(id);
    statements.closeEntry.run(id);
  }

  return {
    reserve: (entry) =>
      whole(true, () => {
        const { id, claims, reservedAt, facts } = entry;
        const before = known(id);
        // It is reserved already: its answer was lost.
        if (before && isSameEntry(before, entry)) return [];
        const sums = claims.map((claim) => sumsWithout(claim, before));
        const short = claims.flatMap((claim, index): LedgerShortage[] => {
          const totals = totalsOf(sums[index]);
          return fitsAccount(claim, totals) ? [] : [{ limit: claim.limit, totals }];
        });
        if (short.length > 0) return short;
        if (before) remove(id);
        const doubt = before && { doubt: doubtOf(before) };
        statements.addEntry.run(id, reservedAt, JSON.stringify({ claims, facts, ...doubt }));
        for (const [index, claim] of claims.entries()) {
          tidy(claim, sums[index] ?? NOTHING, reservedAt);
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

/** The sums of an account as they are stored: `gone` is what was spent until a time. */
interface StoredSums extends Omit<LedgerTotals, "spent"> {
  readonly total: number;
  readonly gone: number;
  readonly until: number;
  /** What was spent from then until the time that is asked about. */
  readonly since: number;
  /** What was spent from that time until then. */
  readonly back: number;
}

/** The sums of an account; `over` is what is spent and does not count any more. */
interface Sums extends LedgerTotals {
  readonly over: number;
  /** Since when what is spent is not in the sum that is gone. */
  readonly until: number;
}

interface EntryBody extends Pick<LedgerEntry, "claims" | "facts"> {
  /** Set if it was taken over: when the tool ended of which nobody knows what it did; null if it may still run. */
  readonly doubt?: number | null;
}

type KnownEntry = LedgerEntry & EntryBody;

interface EntryRow {
  readonly id: string;
  readonly state: "reserved" | "in-doubt";
  readonly reserved_at: number;
  readonly ended_at: number | null;
  readonly body: string;
}

const NOTHING: Sums = { spent: 0, over: 0, until: NEVER, reserved: 0, inDoubt: 0 };

function totalsOf({ spent, reserved, inDoubt }: Sums = NOTHING): LedgerTotals {
  return { spent, reserved: addAmounts(reserved), inDoubt: addAmounts(inDoubt) };
}

/** Whether both were reserved by the same call. */
function isSameEntry(known: LedgerEntry, { reservedAt, facts }: LedgerEntry): boolean {
  return known.reservedAt === reservedAt && JSON.stringify(known.facts) === JSON.stringify(facts);
}

/** What is not known of an entry that is taken over. */
function doubtOf({ state, endedAt, doubt }: KnownEntry): number | null {
  return state === "reserved" && doubt !== undefined ? doubt : (endedAt ?? null);
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
    | "setGone"
    | "addGone"
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
    CREATE TABLE IF NOT EXISTS toolcontract_ledger_gone (account TEXT PRIMARY KEY, amount REAL NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
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
    sums: database.prepare(`WITH was AS (SELECT
        coalesce((SELECT amount FROM ${table}_gone WHERE account = ?), 0) AS gone,
        coalesce((SELECT until FROM ${table}_gone WHERE account = ?), ${NEVER}) AS until)
      SELECT coalesce((SELECT total FROM ${table}_totals WHERE account = ?), 0) AS total, gone, until,
      (SELECT coalesce(sum(amount), 0) FROM ${table}_spent WHERE account = ? AND at > until AND at <= ?) AS since,
      (SELECT coalesce(sum(amount), 0) FROM ${table}_spent WHERE account = ? AND at <= until AND at > ?) AS back,
      ${OPEN_SUM} AND state = 'reserved') AS reserved,
      ${OPEN_SUM} AND state = 'in-doubt' AND (ended_at IS NULL OR ended_at > ?)) AS inDoubt FROM was`),
    total: database.prepare(`SELECT total FROM ${table}_totals WHERE account = ?`),
    setTotal: database.prepare(
      `INSERT INTO ${table}_totals (account, total) VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET total = excluded.total`,
    ),
    setGone: database.prepare(
      `INSERT INTO ${table}_gone (account, amount, until) VALUES (?, ?, ?) ON CONFLICT (account) DO UPDATE SET amount = excluded.amount, until = excluded.until`,
    ),
    addGone: database.prepare(
      `UPDATE ${table}_gone SET amount = amount + ? WHERE account = ? AND until >= ?`,
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
    entry: database.prepare(
      `SELECT id, state, reserved_at, ended_at, body FROM ${table}_entries WHERE id = ?`,
    ),
    doubt: database.prepare(
      `UPDATE ${table}_entries SET state = 'in-doubt', ended_at = ?, body = ? WHERE id = ?`,
    ),
    closeClaims: database.prepare(`DELETE FROM ${table}_claims WHERE id = ?`),
    closeEntry: database.prepare(`DELETE FROM ${table}_entries WHERE id = ?`),
    open: database.prepare(
      `SELECT id, state, reserved_at, ended_at, body FROM ${table}_entries ORDER BY reserved_at, id`,
    ),
  };
}

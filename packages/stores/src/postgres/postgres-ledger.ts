import {
  type Ledger,
  type LedgerClaim,
  type LedgerEnd,
  type LedgerEntry,
  type LedgerShortage,
  type LedgerTotals,
  ToolContractError,
} from "@toolcontract/core";
import { addAmounts } from "@toolcontract/core/adapter";
import { entryNaming } from "../engines/index.ts";
import {
  type PostgresClient,
  type PostgresQuery,
  PostgresReplyError,
  type TableOptions,
  rowsFrom,
} from "./client.ts";
import { tableNames } from "./names.ts";
import { createSweep } from "./sweep.ts";

/**
 * Creates a ledger in Postgres from 12 on, exact for any number of processes; what is reserved survives them.
 *
 * @param client - A pool or whatever has a `query`; its tables are those of createTables(). Each step is one statement, which is a
 * transaction of its own. With a client inside a transaction of yours, the steps are part of it: only for a tool whose whole
 * effect is in this database.
 * @throws ToolContractError if the client or an option is not what it must be.
 * @example
 * ```ts
 * const ledger = postgresLedger(new Pool());
 * ```
 * @see docs/limits.md
 */
export function postgresLedger(
  client: PostgresClient | PostgresQuery,
  options: TableOptions = {},
): Ledger {
  const where = "postgresLedger";
  const rowsOf = rowsFrom(where, client);
  const names = tableNames(where, options);
  const accountOf = entryNaming(where, { prefix: "" }).nameOf;
  // Each entry has an id of its own, which would displace the names of accounts.
  const idOf = entryNaming(where, { prefix: "" }).nameOf;
  const sweep = createSweep(rowsOf, names);

  return {
    async reserve(entry) {
      const { id, claims, reservedAt, facts } = entry;
      const wanted = claims.map(({ account, amount, max, after }) => [
        accountOf(account),
        amount,
        max,
        after ?? null,
      ]);
      if (new Set(wanted.map(([account]) => account)).size < claims.length) {
        throw new ToolContractError(`${where}: each claim of an entry must be in another account.`);
      }
      const request = JSON.stringify({ id: idOf(id), at: reservedAt, claims: wanted });
      const body = JSON.stringify({ id, claims, reservedAt, facts });
      const [row] = await rowsOf(
        `SELECT ${names.reserve}($1::text, $2::text) AS reply`,
        request,
        body,
      );
      await sweep();
      return numbersIn(row?.["reply"]).map((short) => shortageOf(claims, short));
    },
    async end({ id, claims }, end) {
      const spent = Object.fromEntries(
        claims.map((claim) => [accountOf(claim.account), amountOf(claim, end)]),
      );
      const at = end.state === "not-done" ? undefined : end.at;
      const request = JSON.stringify({ id: idOf(id), state: end.state, at, spent });
      await rowsOf(`SELECT ${names.end}($1::text)`, request);
    },
    async totals({ account, after = null }) {
      const [row] = await rowsOf(
        `SELECT ${names.totals}($1::text, $2::float8) AS reply`,
        accountOf(account),
        after,
      );
      // An account that was never used has no row.
      return totalsIn(row?.["reply"] === null ? [0, 0, 0] : numbersIn(row?.["reply"]));
    },
    async open() {
      const rows = await rowsOf(
        `SELECT state, ended_at, body FROM ${names.entries} ORDER BY reserved_at, id`,
      );
      return rows.map(readEntry);
    },
  };
}

function amountOf({ limit, amount }: LedgerClaim, end: LedgerEnd): number {
  return end.state === "spent" ? (end.amounts?.[limit] ?? amount) : amount;
}

function numbersIn(reply: unknown): readonly never[] {
  const numbers: unknown = typeof reply === "string" ? JSON.parse(reply) : undefined;
  if (Array.isArray(numbers)) return numbers as never[];
  throw new PostgresReplyError("A step of a ledger must reply with a list of numbers.");
}

function shortageOf(
  claims: readonly LedgerClaim[],
  [number = NaN, ...totals]: readonly number[],
): LedgerShortage {
  return { limit: claims[number - 1]?.limit ?? "", totals: totalsIn(totals) };
}

function totalsIn([spent = NaN, reserved = NaN, inDoubt = NaN]: readonly number[]): LedgerTotals {
  if (![spent, reserved, inDoubt].every(Number.isFinite)) {
    throw new PostgresReplyError("A reply must hold the sums of an account.");
  }
  return {
    spent: addAmounts(spent),
    reserved: addAmounts(reserved),
    inDoubt: addAmounts(inDoubt),
  };
}

function readEntry({ state, ended_at, body }: Readonly<Record<string, unknown>>): LedgerEntry {
  const entry = JSON.parse(String(body)) as Omit<LedgerEntry, "state">;
  if (state !== "in-doubt") return { ...entry, state: "reserved" };
  return { ...entry, state: "in-doubt", ...(ended_at !== null && { endedAt: Number(ended_at) }) };
}

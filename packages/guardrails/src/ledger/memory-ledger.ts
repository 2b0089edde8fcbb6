import type {
  Ledger,
  LedgerClaim,
  LedgerEntry,
  LedgerShortage,
  LedgerTotals,
} from "@toolcontract/core";
import { addAmounts, fitsAccount } from "@toolcontract/core/adapter";
import { type SpentAmounts, createSpentAmounts } from "./spent-amounts.ts";

/** The amounts of one limit in one scope. */
interface Account {
  readonly spent: SpentAmounts;
  /** The entries that are reserved or in doubt. */
  readonly open: Set<string>;
  /** Whether spent amounts stop counting at some point. */
  readonly expires: boolean;
  /** When something was last reserved in it. */
  usedAt: number;
}

/** An entry as it is kept. */
interface Held extends LedgerEntry {
  /** Set if it was taken over: when the tool ended of which nobody knows what it did, if it has. */
  readonly doubt?: Pick<LedgerEntry, "endedAt">;
}

const SWEPT_EVERY = 1_000;
/** Longer than any window, by more than a clock is ahead. */
const LONGEST_MS = 2 * 24 * 3_600_000;

/**
 * Makes a ledger in memory, exact within this process: what it holds is lost when the process ends.
 *
 * @remarks It keeps each account that ever held an amount, some 200 bytes of it, because a forgotten one would give its amounts
 * back; one whose limit has a window is dropped two days after it was last used.
 * @example
 * ```ts
 * const guardrails = createGuardrails({ guardrails: [], ledger: memoryLedger() });
 * ```
 * @see docs/limits.md
 */
export function memoryLedger(): Ledger {
  const accounts = new Map<string, Account>();
  const entries = new Map<string, Held>();
  let reservations = 0;

  /** Drops what no window reaches any more. */
  function sweep(now: number): void {
    reservations += 1;
    if (reservations % SWEPT_EVERY !== 0) return;
    const before = now - LONGEST_MS;
    for (const [name, account] of accounts) {
      if (!account.expires) continue;
      for (const id of account.open) {
        const entry = entries.get(id);
        if (entry && !counts(entry, before)) fade(id, entry, name, account);
      }
      if (account.open.size === 0 && account.usedAt < before) accounts.delete(name);
    }
  }

  /** An entry in doubt counts in no window of this account any more; once in none at all, nobody is asked about it. */
  function fade(id: string, { claims }: Held, name: string, account: Account): void {
    account.open.delete(id);
    const isLeft = claims.some(
      (claim) => claim.account !== name && accounts.get(claim.account)?.open.has(id),
    );
    if (!isLeft) entries.delete(id);
  }

  function newAccount(after: number | undefined): Account {
    const spent = createSpentAmounts();
    return { spent, open: new Set(), expires: after !== undefined, usedAt: 0 };
  }

  /** The sums of an account without an entry. */
  function totalsOf(
    { account: name, after }: Pick<LedgerClaim, "account" | "after">,
    without?: string,
  ): LedgerTotals {
    const account = accounts.get(name);
    if (account === undefined) return { spent: 0, reserved: 0, inDoubt: 0 };
    let [reserved, inDoubt] = [0, 0];
    for (const id of account.open) {
      const entry = entries.get(id);
      if (entry === undefined || id === without) continue;
      const amount = amountIn(entry, name);
      if (entry.state === "reserved") reserved = addAmounts(reserved, amount);
      else if (counts(entry, after)) inDoubt = addAmounts(inDoubt, amount);
    }
    return { spent: account.spent.sum(after), reserved, inDoubt };
  }

  function add(entry: Held): void {
    entries.set(entry.id, entry);
    for (const { account: name, after } of entry.claims) {
      const account = accounts.get(name) ?? newAccount(after);
      account.open.add(entry.id);
      account.usedAt = entry.reservedAt;
      if (after !== undefined) account.spent.tidy(entry.reservedAt - LONGEST_MS, after);
      accounts.set(name, account);
    }
  }

  function close(id: string, entry: Held): void {
    entries.delete(id);
    for (const { account: name } of entry.claims) {
      const account = accounts.get(name);
      account?.open.delete(id);
      if (account?.open.size === 0 && account.spent.sum() === 0) accounts.delete(name);
    }
  }

  return {
    reserve(entry) {
      const known = entries.get(entry.id);
      // It is reserved already: its answer was lost.
      if (known && isSameEntry(known, entry)) return NONE;
      const short = entry.claims.flatMap((claim): LedgerShortage[] => {
        const totals = totalsOf(claim, entry.id);
        return fitsAccount(claim, totals) ? [] : [{ limit: claim.limit, totals }];
      });
      if (short.length > 0) return short;
      sweep(entry.reservedAt);
      if (known) close(entry.id, known);
      add(known ? { ...entry, doubt: doubtOf(known) } : entry);
      return NONE;
    },
    end({ id }, end) {
      const entry = entries.get(id);
      if (!entry) return;
      if (end.state === "in-doubt") {
        entries.set(id, doubted(entry, end.at));
        return;
      }
      if (end.state === "not-done" && entry.doubt) {
        entries.set(id, doubted(entry, entry.doubt.endedAt));
        return;
      }
      if (end.state === "spent") {
        for (const { account: name, limit, amount } of entry.claims) {
          const account = accounts.get(name);
          // Where nothing stops counting, one sum is enough.
          const at = account?.expires === true ? end.at : Infinity;
          account?.spent.add(at, end.amounts?.[limit] ?? amount);
        }
      }
      close(id, entry);
    },
    totals: (claim) => totalsOf(claim),
    open: () =>
      [...entries.values()]
        .toSorted((a, b) => a.reservedAt - b.reservedAt)
        .map((entry) => {
          const { doubt: _, ...own } = entry;
          return own;
        }),
  };
}

const NONE: readonly never[] = Object.freeze([]);

function counts({ endedAt }: LedgerEntry, after: number | undefined): boolean {
  return endedAt === undefined || after === undefined || endedAt > after;
}

/** Whether both were reserved by the same call. */
function isSameEntry(known: LedgerEntry, { reservedAt, facts }: LedgerEntry): boolean {
  return known.reservedAt === reservedAt && JSON.stringify(known.facts) === JSON.stringify(facts);
}

/** What is not known of an entry that is taken over. */
function doubtOf({ state, endedAt, doubt }: Held): Pick<LedgerEntry, "endedAt"> {
  if (state === "reserved" && doubt) return doubt;
  return endedAt === undefined ? {} : { endedAt };
}

function amountIn({ claims }: LedgerEntry, account: string): number {
  return addAmounts(...claims.map((claim) => (claim.account === account ? claim.amount : 0)));
}

function doubted(
  { id, claims, reservedAt, facts }: LedgerEntry,
  endedAt: number | undefined,
): LedgerEntry {
  const ended = endedAt === undefined ? {} : { endedAt };
  return { id, claims, state: "in-doubt", reservedAt, facts, ...ended };
}

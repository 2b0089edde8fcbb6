import type {
  Ledger,
  LedgerClaim,
  LedgerEnd,
  LedgerEntry,
  LedgerShortage,
  LedgerTotals,
} from "@toolcontract/core";
import { addAmounts, fitsAccount } from "@toolcontract/core/adapter";

/** What ended with an amount in an account, and when. */
interface EndedAmount {
  readonly at: number;
  readonly amount: number;
}

/** The amounts of one limit in one scope. */
interface Account {
  /** The sum of everything spent that still counts. */
  spent: number;
  /** What it consists of, oldest first; empty if nothing ever stops to count. */
  ended: EndedAmount[];
  /** The entries that are reserved or in doubt. */
  readonly open: Set<string>;
  /** Whether spent amounts stop counting at some point. */
  readonly expires: boolean;
  /** When something was last reserved in it. */
  usedAt: number;
}

const SWEPT_EVERY = 1_000;
/** Longer than any window. */
const LONGEST_MS = 2 * 24 * 3_600_000;

/**
 * Makes a ledger in memory, exact within this process: what it holds is lost when the process ends.
 *
 * @remarks It keeps each account that ever held an amount, some 200 bytes of it, because a forgotten one would give its amounts
 * back; one whose limit has a window is dropped once nothing in it counts.
 * @example
 * ```ts
 * const guardrails = createGuardrails({ guardrails: [], ledger: memoryLedger() });
 * ```
 * @see docs/limits.md
 */
export function memoryLedger(): Ledger {
  const accounts = new Map<string, Account>();
  const entries = new Map<string, LedgerEntry>();
  let reservations = 0;

  /** Drops the accounts in which nothing counts any more. */
  function sweep(now: number): void {
    reservations += 1;
    if (reservations % SWEPT_EVERY !== 0) return;
    for (const [name, { expires, open, usedAt }] of accounts) {
      if (expires && open.size === 0 && usedAt < now - LONGEST_MS) accounts.delete(name);
    }
  }

  function accountOf({ account: name, after }: Pick<LedgerClaim, "account" | "after">): Account {
    const expires = after !== undefined;
    const account = accounts.get(name) ?? {
      spent: 0,
      ended: [],
      open: new Set(),
      expires,
      usedAt: 0,
    };
    if (after !== undefined) drop(account, after);
    return account;
  }

  /** Forgets what does not count any more. */
  function drop(account: Account, after: number): void {
    let dropped = 0;
    for (const { at, amount } of account.ended) {
      if (at > after) break;
      account.spent = addAmounts(account.spent, -amount);
      dropped += 1;
    }
    if (dropped > 0) account.ended.splice(0, dropped);
    for (const id of account.open) {
      if (counts(entries.get(id), after)) continue;
      account.open.delete(id);
      const isLeft = entries
        .get(id)
        ?.claims.some((claim) => accounts.get(claim.account)?.open.has(id));
      if (isLeft !== true) entries.delete(id);
    }
  }

  function totalsOf(name: string, { spent, open }: Account): LedgerTotals {
    let [reserved, inDoubt] = [0, 0];
    for (const id of open) {
      const entry = entries.get(id);
      const amount = entry ? amountIn(entry, name) : 0;
      if (entry?.state === "reserved") reserved = addAmounts(reserved, amount);
      else inDoubt = addAmounts(inDoubt, amount);
    }
    return { spent, reserved, inDoubt };
  }

  function spend({ account: name, amount }: LedgerClaim, at: number): void {
    const account = accounts.get(name);
    if (!account) return;
    account.spent = addAmounts(account.spent, amount);
    if (!account.expires) return;
    // Calls end in any order, and clocks are set back.
    const index = account.ended.findLastIndex((earlier) => earlier.at <= at);
    account.ended.splice(index + 1, 0, { at, amount });
  }

  function close(id: string, entry: LedgerEntry): void {
    entries.delete(id);
    for (const { account: name } of entry.claims) {
      const account = accounts.get(name);
      account?.open.delete(id);
      if (account?.open.size === 0 && account.spent === 0) accounts.delete(name);
    }
  }

  return {
    reserve(entry) {
      // It is reserved already: its answer was lost.
      if (entries.has(entry.id)) return NONE;
      const short = entry.claims.flatMap((claim): LedgerShortage[] => {
        const totals = totalsOf(claim.account, accountOf(claim));
        return fitsAccount(claim, totals) ? [] : [{ limit: claim.limit, totals }];
      });
      if (short.length > 0) return short;
      sweep(entry.reservedAt);
      entries.set(entry.id, entry);
      for (const claim of entry.claims) {
        const account = accountOf(claim);
        account.open.add(entry.id);
        account.usedAt = entry.reservedAt;
        accounts.set(claim.account, account);
      }
      return NONE;
    },
    end({ id }, end) {
      const entry = entries.get(id);
      if (!entry) return;
      if (end.state === "in-doubt") {
        entries.set(id, doubted(entry, end));
        return;
      }
      if (end.state === "spent") {
        for (const claim of entry.claims) {
          spend({ ...claim, amount: end.amounts?.[claim.limit] ?? claim.amount }, end.at);
        }
      }
      close(id, entry);
    },
    totals: (claim) => totalsOf(claim.account, accountOf(claim)),
    open: () => [...entries.values()].toSorted((a, b) => a.reservedAt - b.reservedAt),
  };
}

const NONE: readonly never[] = Object.freeze([]);

function counts(entry: LedgerEntry | undefined, after: number): boolean {
  return entry !== undefined && (entry.endedAt === undefined || entry.endedAt > after);
}

function amountIn({ claims }: LedgerEntry, account: string): number {
  return addAmounts(...claims.map((claim) => (claim.account === account ? claim.amount : 0)));
}

function doubted(
  { id, claims, reservedAt, facts }: LedgerEntry,
  { at }: Extract<LedgerEnd, { readonly state: "in-doubt" }>,
): LedgerEntry {
  const ended = at === undefined ? {} : { endedAt: at };
  return { id, claims, state: "in-doubt", reservedAt, facts, ...ended };
}

import { randomUUID } from "node:crypto";
import {
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerShortage,
  type LedgerTotals,
  ToolContractError,
} from "@toolcontract/core";
import { addAmounts, chain, errorClass, nearestName, within } from "@toolcontract/core/adapter";
import {
  type LimitUsage,
  type MaybePromise,
  MissingPlaceError,
  type Per,
  type Spender,
  userName,
} from "../shared/index.ts";
import { type SpendingLimit, accountName } from "./limits.ts";
import { recover } from "./open-entries.ts";
import { ownOwner } from "./owners.ts";
import { type SharedEntries, createPausedReservations } from "./paused.ts";
import { type Reservation, type ReservationServices, keepReservation } from "./reservation.ts";
import { type AnySpend, type SpendContext, type Spending, settledBy, spentBy } from "./spends.ts";

/** Why a call may not spend what it wants to. */
export type SpendingFault =
  | {
      readonly kind: "short";
      readonly limit: string;
      readonly max: number;
      readonly per: Per | undefined;
      readonly left: number;
    }
  /** The amount is not a finite number of at least 0. */
  | { readonly kind: "amount"; readonly limit: string }
  /** The scope of the limit has no value for this call. */
  | { readonly kind: "scope"; readonly limit: string }
  /** The function that says what is spent failed. */
  | { readonly kind: "failed"; readonly thrown: unknown }
  /** The ledger failed, or there is no time to reserve at. */
  | { readonly kind: "unavailable" };

/** A call that may spend. */
interface SpendingCall extends Spender {
  readonly tool: string;
  readonly args: unknown;
  readonly callId: string;
  /** The key under which a service may deduplicate the effect. */
  readonly idempotencyKey: () => string | undefined;
  /** True if the service does so: a call that repeats another under its key is the same payment. */
  readonly isIdempotent: boolean;
  readonly log: ReservationServices["log"];
}

/** What a call has reserved: nothing if it spends nothing. */
type Reserved =
  | { readonly kind: "reserved"; readonly reservation: CallReservation }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly faults: readonly SpendingFault[] };

/** A reservation that knows what was spent by the tool's result. */
export interface CallReservation extends Omit<Reservation, "end"> {
  readonly entry: LedgerEntry;
  /** Ends it with its call; `result` is what the tool returned, if the call succeeded. */
  end(succeeded?: { readonly result: unknown }): Promise<void>;
}

/** What a set of guardrails spends from its limits. */
export interface Spendings {
  /** Whether calls of the tool spend anything. */
  spends(tool: string): boolean;
  /** Reserves what a call may spend. Throws a ToolContractError if it names no limit. */
  reserve(call: SpendingCall): Promise<Reserved>;
  /** Goes on with what a call has reserved that waited for somebody, by its name; undefined if it did not. */
  resume(name: string, call: SpendingCall): MaybePromise<CallReservation | undefined>;
  /** Keeps what a call has reserved until it goes on. */
  pause(name: string, reservation: CallReservation): MaybePromise<void>;
  /** How much of a limit is used. */
  usage(name: string, spender: Spender): MaybePromise<LimitUsage>;
}

/** What spending needs. */
export interface SpendingOptions {
  readonly limits: ReadonlyMap<string, SpendingLimit>;
  readonly spends: Readonly<Record<string, AnySpend>>;
  readonly ledger: Ledger;
  readonly clock: () => number;
  /** Milliseconds that the ledger may take. */
  readonly storeLimit: number;
  /** Milliseconds that a tool may take. */
  readonly toolLimit: number;
  /** Where other processes find what paused calls have reserved. */
  readonly shared?: SharedEntries | undefined;
}

/** Creates what reserves for the calls of a set of guardrails. */
export function createSpendings(options: SpendingOptions): Spendings {
  const { limits, spends, ledger, clock, storeLimit } = options;
  const paused = createPausedReservations<CallReservation>(options.shared);
  const limited = async <T>(answer: MaybePromise<T>): Promise<T> =>
    within(Promise.resolve(answer), storeLimit);

  function totalsOf(name: string, spender: Spender): MaybePromise<LimitUsage> {
    const limit = limitNamed(name, limits);
    const account = limit.accountOf(spender, timeOf(clock));
    if (account) return chain(ledger.totals(account), (totals) => limitUsage(limit, totals));
    throw new MissingPlaceError(
      `guardrails.usage: the scope of '${name}' has no value. Pass what calls pass, such as { conversationId, context: { user } }.`,
    );
  }

  /** Reserves in time; what a slow ledger reserves later, perhaps after it was withdrawn, is withdrawn again. */
  async function reserveInTime(
    entry: LedgerEntry,
    withdraw: () => Promise<void>,
  ): Promise<readonly LedgerShortage[]> {
    const answer = Promise.resolve(ledger.reserve(entry));
    try {
      return await limited(answer);
    } catch (thrown) {
      void answer.then(withdraw, () => undefined);
      throw thrown;
    }
  }

  /** Reserves, and once more if calls of processes that have ended were in the way. */
  async function reserveEntry(
    entry: LedgerEntry,
    withdraw: () => Promise<void>,
  ): Promise<readonly LedgerShortage[]> {
    const short = await reserveInTime(entry, withdraw);
    if (!short.some(({ totals }) => totals.reserved + totals.inDoubt > 0)) return short;
    const recovered = await limited(recover(options));
    return recovered === 0 ? short : reserveInTime(entry, withdraw);
  }

  function keep(
    entry: LedgerEntry,
    call: SpendingCall,
    spend: AnySpend,
    takesOver: boolean,
  ): CallReservation {
    const { log } = call;
    const now = (): number => {
      try {
        return timeOf(clock);
      } catch {
        return entry.reservedAt;
      }
    };
    const services = { ledger, now, timeLimit: storeLimit, log, takesOver };
    const reservation = keepReservation(entry, services);
    return {
      ...reservation,
      entry,
      async end(succeeded) {
        const settled = succeeded && (await settledAmounts(spend, call, succeeded.result));
        await reservation.end(succeeded !== undefined, settled && amountsByLimit(settled));
        if (settled) await countMore(settled, entry, call, now());
      },
    };
  }

  /** Says that a call has used more than it reserved, and counts what it has used of limits that it had not named. */
  async function countMore(
    settled: readonly Spending[],
    { claims, facts }: LedgerEntry,
    call: SpendingCall,
    at: number,
  ): Promise<void> {
    const reservedOf = (name: string): number | undefined =>
      claims.find(({ limit }) => limit === name)?.amount;
    const over = settled.filter(({ limit, amount }) => amount > (reservedOf(limit.name) ?? 0));
    if (over.length === 0) return;
    call.log(USED_MORE, { limits: over.map(({ limit }) => limit.name).join(", ") });
    const unnamed = over.flatMap(({ limit, amount }): LedgerClaim[] => {
      const account = reservedOf(limit.name) === undefined ? limit.accountOf(call, at) : undefined;
      return account ? [{ limit: limit.name, amount, max: Number.MAX_VALUE, ...account }] : [];
    });
    if (unnamed.length === 0) return;
    const entry = { id: randomUUID(), claims: unnamed, state: "reserved", reservedAt: at, facts };
    try {
      await limited(ledger.reserve(entry as LedgerEntry));
      await limited(ledger.end(entry, { state: "spent", at }));
    } catch (thrown) {
      call.log(NOT_COUNTED, { error: errorClass(thrown) });
    }
  }

  /** What a call has spent if it is not what it reserved; if that cannot be known, all of it. */
  async function settledAmounts(
    spend: AnySpend,
    call: SpendingCall,
    result: unknown,
  ): Promise<readonly Spending[] | undefined> {
    try {
      const settled = await settledBy(spend, spendContext(call), result, limits);
      if (settled?.kind === "amounts") return settled.amounts;
      if (settled) call.log(NOT_SETTLED, { limits: settled.limits.join(", ") });
    } catch (thrown) {
      call.log(NOT_SETTLED, { error: errorClass(thrown) });
    }
    return undefined;
  }

  async function reserveAmounts(
    amounts: readonly Spending[],
    call: SpendingCall,
    spend: AnySpend,
  ): Promise<Reserved> {
    const now = timeOf(clock);
    const claims: LedgerClaim[] = [];
    const faults: SpendingFault[] = [];
    for (const { limit, amount } of amounts) {
      const account = limit.accountOf(call, now);
      if (account) claims.push({ limit: limit.name, amount, max: limit.max, ...account });
      else faults.push({ kind: "scope", limit: limit.name });
    }
    if (faults.length > 0) return { kind: "refused", faults };
    const key = call.idempotencyKey();
    const takesOver = call.isIdempotent && key !== undefined;
    const unique = randomUUID();
    const facts = { ...entryFacts(call, key), ...(takesOver && { reservation: unique }) };
    // What is spent under one key is one entry, whichever call it is.
    const id = takesOver ? entryName(key, claims) : unique;
    const entry = { id, claims, state: "reserved", reservedAt: now, facts } as const;
    const reservation = keep(entry, call, spend, takesOver);
    try {
      const short = await reserveEntry(entry, reservation.withdraw);
      if (short.length === 0) return { kind: "reserved", reservation };
      reservation.forget();
      return { kind: "refused", faults: short.map((one) => shortageOf(one, limits)) };
    } catch (thrown) {
      // It may still have been reserved. The tool has not run, so it is given back, without waiting for a ledger that fails.
      void reservation.withdraw();
      throw thrown;
    }
  }

  return {
    spends: (tool) => Object.hasOwn(spends, tool),
    async reserve(call) {
      const spend = Object.hasOwn(spends, call.tool) ? spends[call.tool] : undefined;
      if (spend === undefined) return { kind: "nothing" };
      const spent = await askedSpending(spend, call, limits);
      if (spent.kind === "failed") return { kind: "refused", faults: [spent] };
      if (spent.kind === "unusable") {
        const faults = spent.limits.map((limit) => ({ kind: "amount", limit }) as const);
        return { kind: "refused", faults };
      }
      if (spent.amounts.length === 0 && typeof spend === "function") return { kind: "nothing" };
      try {
        return await reserveAmounts(spent.amounts, call, spend);
      } catch (thrown) {
        call.log("A ledger failed before the tool ran", { error: errorClass(thrown) });
        return { kind: "refused", faults: [{ kind: "unavailable" }] };
      }
    },
    resume: (name, call) =>
      paused.take(name, (entry) => {
        const takesOver = entry.facts["reservation"] !== undefined;
        return keep(entry, call, spends[call.tool] as AnySpend, takesOver);
      }),
    pause: (name, reservation) => paused.keep(name, reservation),
    usage: totalsOf,
  };
}

const USED_MORE = "A call has used more than it reserved";
const NOT_COUNTED =
  "A ledger failed, so what a call has used of limits that it did not reserve is not counted";
const NOT_SETTLED = "What a call has spent could not be settled, so all that was reserved is spent";

async function askedSpending(
  spend: AnySpend,
  call: SpendingCall,
  limits: ReadonlyMap<string, SpendingLimit>,
): Promise<Awaited<ReturnType<typeof spentBy>> | Extract<SpendingFault, { kind: "failed" }>> {
  try {
    return await spentBy(spend, spendContext(call), limits);
  } catch (thrown) {
    // It names no limit, or answers no amounts: a mistake of the program.
    if (ToolContractError.isInstance(thrown)) throw thrown;
    return { kind: "failed", thrown };
  }
}

function spendContext({
  tool,
  args,
  context = {},
  callId,
  conversationId,
}: SpendingCall): SpendContext {
  return { tool, args, context, callId, conversationId };
}

/** Names what is spent under a key; the accounts too, since a limit may be changed meanwhile. */
function entryName(key: string, claims: readonly LedgerClaim[]): string {
  return accountName([key, ...claims.map(({ account }) => account).toSorted()]);
}

function entryFacts(call: SpendingCall, key: string | undefined): LedgerEntry["facts"] {
  const { tool, callId, conversationId, runId, context } = call;
  const user = userName(context);
  return {
    ...ownOwner(),
    tool,
    callId,
    ...(conversationId !== undefined && { conversationId }),
    ...(runId !== undefined && { runId }),
    ...(user !== undefined && { user }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
}

function amountsByLimit(amounts: readonly Spending[]): Readonly<Record<string, number>> {
  return Object.fromEntries(amounts.map(({ limit, amount }) => [limit.name, amount]));
}

function shortageOf(
  { limit: name, totals }: LedgerShortage,
  limits: ReadonlyMap<string, SpendingLimit>,
): SpendingFault {
  const limit = limitNamed(name, limits);
  const { max, left } = limitUsage(limit, totals);
  return { kind: "short", limit: name, max, per: limit.per, left };
}

function limitUsage(
  { max }: SpendingLimit,
  { spent, reserved, inDoubt }: LedgerTotals,
): LimitUsage {
  const used = addAmounts(spent, reserved, inDoubt);
  return { max, spent, reserved, inDoubt, left: Math.max(0, addAmounts(max, -used)) };
}

function limitNamed(name: string, limits: ReadonlyMap<string, SpendingLimit>): SpendingLimit {
  const limit = limits.get(name);
  if (limit) return limit;
  const names = [...limits.keys()];
  const near = nearestName(name, names);
  const help =
    near === undefined ? `There are ${names.join(", ") || "none"}` : `Did you mean '${near}'?`;
  throw new ToolContractError(
    `guardrails.usage: there is no limit '${name.slice(0, 64)}'. ${help}`,
  );
}

/** The time of a clock; a clock that tells none can open no window. */
function timeOf(clock: () => number): number {
  const now: unknown = clock();
  if (typeof now === "number" && Number.isFinite(now)) return now;
  throw new TypeError("The clock must tell milliseconds since 1970");
}

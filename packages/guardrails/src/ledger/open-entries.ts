import { type Ledger, type LedgerEntry, ToolContractError } from "@toolcontract/core";
import { isOwn, mayBeRunning } from "./owners.ts";

/** A call that may have spent, of which nobody knows yet whether it did. */
export interface OpenEntry {
  /** Unique among all entries. */
  readonly id: string;
  /** The tool's name. */
  readonly tool: string;
  /** The provider's id of the call. */
  readonly callId: string;
  /** The conversation in which the call was made. */
  readonly conversationId?: string;
  /** The user it was made for, if the host named one. */
  readonly user?: string;
  /** The key that the tool may have passed to its service. */
  readonly idempotencyKey?: string;
  /** What it may have spent, by the names of limits. */
  readonly amounts: Readonly<Record<string, number>>;
  /** When it was reserved, in milliseconds since 1970. */
  readonly reservedAt: number;
  /** When its tool ended, in milliseconds since 1970; absent if it may still be running. */
  readonly endedAt?: number;
}

/** What is known of an open entry: it happened, it did not, or nobody knows. */
export type Evidence = "done" | "not-done" | "unknown";

/** What a reconciliation has found. */
export interface Reconciled {
  /** How many calls happened; their amounts are spent. */
  readonly done: number;
  /** How many did not; their amounts were given back. */
  readonly notDone: number;
  /** How many are still in doubt. */
  readonly unknown: number;
}

interface Services {
  readonly ledger: Ledger;
  readonly clock: () => number;
  readonly toolLimit: number;
  readonly storeLimit: number;
}

/**
 * Puts in doubt what was reserved by processes that have ended, and ends what they left under way: whoever is gone runs no tool. Returns
 * how many entries that were.
 */
export async function recover(services: Services): Promise<number> {
  let recovered = 0;
  for (const entry of await services.ledger.open()) {
    if (entry.endedAt !== undefined || isUnderWay(entry, services)) continue;
    // A grant that was used.
    if (entry.facts["tool"] === undefined) continue;
    await services.ledger.end(entry, { state: "in-doubt", at: latestEnd(entry, services) });
    recovered += 1;
  }
  return recovered;
}

/**
 * When the tool of a call that is no longer under way ended at the latest. Of a process that is gone, that is known only as far as calls
 * keep their time limit; a tool of this one may have gone on after its call, and its end could not be written.
 */
function latestEnd({ reservedAt, facts }: LedgerEntry, services: Services): number {
  const now = services.clock();
  return isOwn(facts) ? now : Math.min(now, reservedAt + longestCall(services));
}

function longestCall({ toolLimit, storeLimit }: Services): number {
  return toolLimit + 2 * storeLimit;
}

/** Asks about each call in doubt, and closes the entries whose outcome is known. */
export async function reconcile(
  ask: (entry: OpenEntry) => Evidence | Promise<Evidence>,
  services: Services,
): Promise<Reconciled> {
  const { ledger, clock } = services;
  await recover(services);
  const found = { done: 0, notDone: 0, unknown: 0 };
  for (const entry of await ledger.open()) {
    if (entry.state !== "in-doubt") continue;
    switch (await ask(shownEntry(entry))) {
      case "done":
        await ledger.end(entry, { state: "spent", at: entry.endedAt ?? clock() });
        found.done += 1;
        break;
      case "not-done":
        await ledger.end(entry, { state: "not-done" });
        found.notDone += 1;
        break;
      case "unknown":
        found.unknown += 1;
        break;
      default:
        throw new ToolContractError(
          'guardrails.reconcile: the function must answer "done", "not-done" or "unknown".',
        );
    }
  }
  return found;
}

function isUnderWay({ id, facts, reservedAt }: LedgerEntry, services: Services): boolean {
  const isRecent = (): boolean => services.clock() - reservedAt < longestCall(services);
  return mayBeRunning(id, facts, isRecent);
}

function shownEntry({ id, claims, reservedAt, endedAt, facts }: LedgerEntry): OpenEntry {
  const { tool = "", callId = "", conversationId, user, idempotencyKey } = facts;
  return {
    id,
    tool,
    callId,
    ...(conversationId !== undefined && { conversationId }),
    ...(user !== undefined && { user }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    amounts: Object.fromEntries(claims.map(({ limit, amount }) => [limit, amount])),
    reservedAt,
    ...(endedAt !== undefined && { endedAt }),
  };
}

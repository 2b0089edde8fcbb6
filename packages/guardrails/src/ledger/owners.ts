import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { LedgerEntry } from "@toolcontract/core";

const RUNNING = Symbol.for("toolcontract.reservations");

/** What one process has reserved and not ended, for all copies of this package in it. */
interface RunningProcess {
  /** Tells this process from every other one, also from one with the same id before or elsewhere. */
  readonly process: string;
  /** The calls under way, by their entries: those under one idempotency key share one. */
  readonly calls: Map<string, CallsOfEntry>;
}

/** Each by the name of what it has reserved, which is still its name if it pauses and goes on elsewhere in this process. */
interface CallsOfEntry {
  readonly running: Set<string>;
  /** Those that may have spent, for as long as another one is under way. */
  readonly inDoubt: Set<string>;
}

/** A call under way, among those that share its entry. */
export interface RunningCall {
  /** Whether another one is under way. */
  readonly isShared: () => boolean;
  /** Whether another one that ran at the same time is in doubt. */
  readonly isSharedInDoubt: () => boolean;
  /** Records whether this one is in doubt. */
  readonly setInDoubt: (isInDoubt: boolean) => void;
  /** It is no longer under way. */
  readonly end: () => void;
}

function runningProcess(): RunningProcess {
  const shared = globalThis as { [RUNNING]?: RunningProcess };
  return (shared[RUNNING] ??= { process: randomUUID(), calls: new Map() });
}

/** The facts of an entry that say which process has reserved it. */
export interface Owner {
  readonly machine: string;
  readonly pid: string;
  readonly process: string;
}

/** This process, as an owner of entries. */
export function ownOwner(): Owner {
  return { machine: machine(), pid: String(process.pid), process: runningProcess().process };
}

/** Records that a call is under way. */
export function beginCall({ id, facts }: Pick<LedgerEntry, "id" | "facts">): RunningCall {
  const { calls } = runningProcess();
  const entry = calls.get(id) ?? { running: new Set(), inDoubt: new Set() };
  const { running, inDoubt } = entry;
  const name = facts["reservation"] ?? id;
  calls.set(id, entry);
  running.add(name);
  return {
    isShared: () => hasOther(running, name),
    isSharedInDoubt: () => hasOther(inDoubt, name),
    setInDoubt: (isInDoubt) => void (isInDoubt ? inDoubt.add(name) : inDoubt.delete(name)),
    end() {
      running.delete(name);
      if (running.size === 0 && calls.get(id) === entry) calls.delete(id);
    },
  };
}

function hasOther(names: ReadonlySet<string>, own: string): boolean {
  return names.size > Number(names.has(own));
}

/** Whether this process has reserved an entry. */
export function isOwn(owner: Partial<Owner>): boolean {
  return owner.process === runningProcess().process;
}

/**
 * Whether the call that reserved an entry may still be under way.
 *
 * @param isRecent - Whether it was reserved so lately that a call on another machine may not be over.
 */
export function mayBeRunning(id: string, owner: Partial<Owner>, isRecent: () => boolean): boolean {
  if (isOwn(owner)) return runningProcess().calls.has(id);
  if (owner.machine !== machine()) return isRecent();
  const pid = Number(owner.pid);
  // Another process had the id of this one before.
  return pid !== process.pid && isAlive(pid);
}

let bootId: string | undefined;

/** The processes of a container have ids of their own. */
function machine(): string {
  bootId ??= `${hostname()} ${pidNamespace()}`;
  return bootId;
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has them.
    return "";
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // The process exists, but belongs to another user.
    return (thrown as { readonly code?: unknown }).code === "EPERM";
  }
}

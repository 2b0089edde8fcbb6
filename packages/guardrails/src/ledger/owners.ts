import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";

const RUNNING = Symbol.for("toolcontract.reservations");

/** What one process has reserved and not ended, for all copies of this package in it. */
interface RunningProcess {
  /** Tells this process from every other one, also from one with the same id before or elsewhere. */
  readonly process: string;
  readonly ids: Set<string>;
}

function runningProcess(): RunningProcess {
  const shared = globalThis as { [RUNNING]?: RunningProcess };
  return (shared[RUNNING] ??= { process: randomUUID(), ids: new Set() });
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

/** Records that a call is under way; returns the function that removes it. */
export function markRunning(id: string): () => void {
  const { ids } = runningProcess();
  ids.add(id);
  return () => void ids.delete(id);
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
  if (isOwn(owner)) return runningProcess().ids.has(id);
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

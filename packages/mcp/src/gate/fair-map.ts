import { SlotMap } from "@toolcontract/core/adapter";
import type { AttemptState, AttemptStore } from "@toolcontract/core";

/** A bounded map in which nobody can displace the entries of everybody else. */
export interface FairMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
}

const SEPARATOR = " from ";

/** Names who a key belongs to: its entries are displaced by those of the same owner first. */
export function ownedKey(key: string, owner: string): string {
  return `${key}${SEPARATOR}${owner}`;
}

function ownerOf(key: string): string {
  const at = key.lastIndexOf(SEPARATOR);
  // Keys may be JSON of a tool's name, which follows the owner.
  if (at === -1) return "";
  const start = at + SEPARATOR.length;
  const end = key.indexOf('"', start);
  return end === -1 ? key.slice(start) : key.slice(start, end);
}

/**
 * Creates a map of at most `max` entries. If it is full, the owner with the most entries loses the least recently used
 * ones, so that a client that invents session ids displaces only its own.
 */
export function createFairMap<V>(max: number): FairMap<V> {
  // Setting an entry again on every use keeps an owner's stalest one first.
  const owners = new Map<string, SlotMap<string, V>>();
  let size = 0;
  /** What was used last: a client that is alone needs no search. */
  let last: { readonly key: string; readonly value: V } | undefined;

  function remove(owner: string, key: string): void {
    const own = owners.get(owner);
    if (own?.take(key) === undefined) return;
    if (last?.key === key) last = undefined;
    size -= 1;
    if (own.size === 0) owners.delete(owner);
  }

  function put(key: string, value: V): void {
    const owner = ownerOf(key);
    const own = owners.get(owner) ?? new SlotMap<string, V>();
    size -= own.size;
    own.set(key, value);
    size += own.size;
    owners.set(owner, own);
    last = { key, value };
  }

  function makeRoom(): void {
    let [owner, most] = ["", new SlotMap<string, V>()];
    for (const [name, own] of owners) if (own.size > most.size) [owner, most] = [name, own];
    // Several at once, because finding the owner takes long if there are many.
    let excess = Math.min(max / 100, most.size - max / owners.size);
    for (const key of most.keys()) {
      remove(owner, key);
      excess -= 1;
      if (excess <= 0) return;
    }
  }

  return {
    get(key) {
      if (size === 0) return undefined;
      if (last?.key === key) return last.value;
      const value = owners.get(ownerOf(key))?.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(key, value) {
      put(key, value);
      if (size > max) makeRoom();
    },
    delete(key) {
      if (size > 0) remove(ownerOf(key), key);
    },
  };
}

/** How many attempts a store holds, and how long they are kept without use. */
export interface FairStoreOptions {
  readonly max: number;
  readonly idleTime: number;
  readonly clock: () => number;
}

/** Creates a store of attempts on such a map. */
export function createFairStore({ max, idleTime, clock }: FairStoreOptions): AttemptStore {
  const entries = createFairMap<{ readonly state: AttemptState; usedAt: number }>(max);

  function get(key: string): AttemptState | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    const now = clock();
    if (now - entry.usedAt >= idleTime) {
      entries.delete(key);
      return undefined;
    }
    entry.usedAt = now;
    return entry.state;
  }
  return {
    get,
    update(key, change) {
      const before = get(key);
      const after = change(before);
      if (after === undefined) entries.delete(key);
      else if (after !== before) entries.set(key, { state: after, usedAt: clock() });
      return { before, after };
    },
    delete: (key) => entries.delete(key),
  };
}

import type { AttemptChange, AttemptState, AttemptStore, AttemptUpdate } from "@toolcontract/core";
import {
  type MaybePromise,
  chain,
  readAttemptState,
  writeAttemptState,
} from "@toolcontract/core/adapter";
import { type EntryOptions, checkEngine, entryNaming } from "./entry-names.ts";

// Calls of one process queue, so this many rivals are as many processes.
const MAX_CONFLICTS = 100;
const REVISION = 16;

/** What an engine keeps under a key. */
export interface StoredValue {
  /** The value; undefined or null if there is none. */
  readonly value: string | null | undefined;
  /** The engine's clock in milliseconds, if all that use it share one. */
  readonly now?: number;
}

/** An engine that compares and swaps, such as Redis, SQLite, Postgres, or whatever has etags. */
export interface VersionedEngine {
  /** Reads a value, and keeps it for another `idleTime` milliseconds. */
  read(key: string, idleTime: number): MaybePromise<StoredValue>;
  /**
   * Writes `next` for `idleTime` milliseconds if `expected` is still what is kept; undefined is not a value.
   * In the same step: no other write may come in between.
   *
   * @remarks The first 16 characters of a value are random and new with each write, so it is enough to compare those
   * of a value that a store wrote.
   * @returns `"done"`, or what is kept instead, so that a conflict costs no further read.
   */
  swap(
    key: string,
    expected: string | undefined,
    next: string | undefined,
    idleTime: number,
  ): MaybePromise<"done" | StoredValue>;
}

/** Thrown if others changed an entry each time that an update was about to. */
class StoreContentionError extends Error {}

/**
 * Creates a store that is exact for any number of processes, on an engine that compares and swaps.
 *
 * @remarks What the engine returns is read as foreign data: what is not a state of this version counts as no value.
 * @throws ToolContractError if the engine or an option is not what it must be.
 * @example
 * ```ts
 * const contract = createContract({ store: createVersionedStore(engine, { prefix: "shop:" }) });
 * ```
 * @see docs/stores.md
 */
export function createVersionedStore(
  engine: VersionedEngine,
  options: EntryOptions = {},
): AttemptStore {
  const where = "createVersionedStore";
  checkEngine(where, engine, ["read", "swap"]);
  const { idleTime, nameOf } = entryNaming(where, options);

  function replace(
    name: string,
    change: AttemptChange,
    { value, now }: StoredValue,
    conflicts: number,
  ): MaybePromise<AttemptUpdate> {
    const before = stateIn(value);
    const after = change(before, now);
    if (after === before) return { before, after };
    const next = after && newRevision() + writeAttemptState(after);
    return chain(engine.swap(name, value ?? undefined, next, idleTime), (answer) => {
      // A client that lost the reply has sent the swap again, and met its own value.
      if (answer === "done" || (next && answer.value === next)) return { before, after };
      if (conflicts === MAX_CONFLICTS) {
        throw new StoreContentionError(
          `An entry changed ${MAX_CONFLICTS} times during one update.`,
        );
      }
      return replace(name, change, answer, conflicts + 1);
    });
  }

  const update = (key: string, change: AttemptChange): MaybePromise<AttemptUpdate> => {
    const name = nameOf(key);
    return chain(engine.read(name, idleTime), (found) => replace(name, change, found, 1));
  };

  return {
    get: (key) => chain(engine.read(nameOf(key), idleTime), ({ value }) => stateIn(value)),
    update,
    delete: (key) =>
      chain(
        update(key, () => undefined),
        () => undefined,
      ),
  };
}

function stateIn(value: string | null | undefined): AttemptState | undefined {
  return typeof value === "string" ? readAttemptState(value.slice(REVISION)) : undefined;
}

/** Random, because a counter would start again after an entry was deleted. */
function newRevision(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(-REVISION);
}

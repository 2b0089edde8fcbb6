import type { AttemptState, AttemptStore } from "@toolcontract/core";
import {
  type MaybePromise,
  chain,
  createKeyedQueue,
  readAttemptState,
  writeAttemptState,
} from "@toolcontract/core/adapter";
import { type EntryOptions, checkEngine, entryNaming } from "./entry-names.ts";

/** An engine that only reads and writes, such as a key-value service. */
export interface LocalEngine {
  /** Returns the value under a key; undefined or null if there is none. */
  get(key: string): MaybePromise<string | null | undefined>;
  /** Writes a value, to be kept for `idleTime` milliseconds if the engine can. */
  set(key: string, value: string, idleTime: number): MaybePromise<unknown>;
  /** Removes a value. */
  delete(key: string): MaybePromise<unknown>;
}

/**
 * Creates a store on an engine that only reads and writes.
 *
 * @remarks It is right for one writer at a time: two processes lose each other's updates, because the engine cannot say
 * that a value has changed meanwhile. Engines that can are for createVersionedStore().
 * @throws ToolContractError if the engine or an option is not what it must be.
 * @example
 * ```ts
 * const store = createLocalStore(new Map());
 * const contract = createContract({ store });
 * ```
 * @see docs/stores.md
 */
export function createLocalStore(engine: LocalEngine, options: EntryOptions = {}): AttemptStore {
  const where = "createLocalStore";
  checkEngine(where, engine, ["get", "set", "delete"]);
  const { idleTime, nameOf } = entryNaming(where, options);
  const enqueue = createKeyedQueue();

  const read = (name: string): MaybePromise<AttemptState | undefined> =>
    chain(engine.get(name), (value) =>
      typeof value === "string" ? readAttemptState(value) : undefined,
    );

  return {
    get: (key) => read(nameOf(key)),
    update: (key, change) => {
      const name = nameOf(key);
      return enqueue(name, () =>
        chain(read(name), (before) => {
          const after = change(before);
          if (after === before) return { before, after };
          const written =
            after === undefined
              ? engine.delete(name)
              : engine.set(name, writeAttemptState(after), idleTime);
          return chain(written, () => ({ before, after }));
        }),
      );
    },
    delete: (key) => {
      const name = nameOf(key);
      return enqueue(name, () => chain(engine.delete(name), () => undefined));
    },
  };
}

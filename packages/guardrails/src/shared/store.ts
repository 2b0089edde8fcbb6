import type { MaybePromise } from "@toolcontract/core/adapter";
import type { Spender } from "./scopes.ts";

/** A value that is only read: its objects are frozen, and the methods that would change its maps, sets and dates throw. */
export type ReadOnly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends ReadonlyMap<infer K, infer V>
    ? ReadonlyMap<ReadOnly<K>, ReadOnly<V>>
    : T extends ReadonlySet<infer V>
      ? ReadonlySet<ReadOnly<V>>
      : T extends object
        ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
        : T;

/**
 * State that attempts change and roll back: what a tool does is staged, and committed only if the attempt succeeds.
 *
 * `slotStore` and `sqliteStore` implement it; write your own for another database.
 */
export interface StateStore<State> {
  /** What is committed, as a frozen view: it never shows what an attempt has staged. */
  readonly state: ReadOnly<State>;
  /**
   * The parts that attempts lock and touch one by one, such as the top-level keys of an object.
   *
   * Undefined if the store is one part: then its attempts never overlap.
   */
  readonly slots: readonly string[] | undefined;
  /**
   * The state of whoever makes a call; absent if all calls share one.
   *
   * @throws ToolContractError if that cannot be told, such as of a call without a user.
   */
  of?(call: Spender): StateStore<State>;
  /** What attempts of several stores share, such as a database: those of one resource lock each other out, and join each other. */
  readonly resource?: object;
  /**
   * Keeps other processes from changing the state until what it returns is called; asked before guardrails look at the state.
   *
   * @param signal - Aborts when the time for it is over, or the call is cancelled.
   */
  hold?(signal: AbortSignal): MaybePromise<() => void>;
  /**
   * Begins an attempt; nothing it does is visible outside before `commit`.
   *
   * @param parent - The attempt that this one joins: a commit then goes to the parent's stage.
   * @param slots - The slots that the attempt may touch; all of them if undefined.
   */
  begin(parent?: Staged<State>, slots?: readonly string[]): Staged<State>;
}

/** The stage of one attempt. */
export interface Staged<State> {
  /** Milliseconds spent so far on keeping the attempt apart from others; absent if the store does not measure it. */
  readonly isolationMs?: number;
  /** What the tool reads and changes. Throws once the attempt is over, and for a slot that it may not touch. */
  readonly state: State;
  /** The slots that were read or changed so far. */
  touched(): readonly string[];
  /**
   * Ends the tool's access and returns what a commit would make of the state, read-only.
   *
   * @throws UncopyableStateError if the tool left something that cannot be copied; it names the place.
   */
  seal(): ReadOnly<State>;
  /**
   * The touched slots that another attempt has committed since this one touched them.
   *
   * @param read - Slots that were read of the sealed state: those among them that were committed since are conflicts, too.
   */
  conflicts(read?: readonly string[]): readonly string[];
  /** Makes the sealed state the committed one (or the parent's), all of it or nothing. */
  commit(): void | Promise<void>;
  /** Drops everything that was staged. Does nothing after the first call or after a commit. */
  rollback(): void | Promise<void>;
}

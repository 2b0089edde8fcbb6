import type { Attempt, Staged } from "../shared/index.ts";
import type { Locks } from "../state/index.ts";

/** What a rollback did. */
export interface Rollback {
  /** True if there was anything to undo. */
  readonly undid: boolean;
  /** The effects that could not be undone. */
  readonly failures: readonly string[];
  /** True if nothing is left of what the transaction did. */
  readonly isWhole: boolean;
}

/** Nothing has run, so there was nothing to undo. */
export const NOTHING_DONE: Rollback = Object.freeze({
  undid: false,
  failures: Object.freeze([]),
  isWhole: true,
});

/** A transaction under way: what the tool sees, and what ends it. */
export interface LiveTransaction {
  readonly owner: object;
  /** The guardrails that judged the call, and what it was made with. */
  readonly judged: { readonly by: object; readonly args: unknown };
  /** What the tool sees of it. */
  readonly attempt: Attempt;
  readonly staged: Staged<unknown> | undefined;
  readonly slots: readonly string[] | undefined;
  /** Nested transactions run one after the other. */
  readonly nested: () => Locks;
  /** True if it joins another transaction. */
  readonly isNested: boolean;
  /** Runs the tool; calls that it makes join the transaction. */
  run(tool: () => unknown): unknown;
  /** True from the tool's start until it has returned, even if the transaction ended before. */
  isRunning(): boolean;
  /** True until the tool has returned, or the transaction is over. */
  isOpen(): boolean;
  /** True if it joins a transaction that is over. */
  isOrphaned(): boolean;
  /** Ends the tool's access, and returns what a commit would make of the state. */
  seal(): unknown;
  /** Gets the locks that the transactions nested in it need, if it runs without. */
  lockAll(): Promise<void>;
  /** Whether `lockAll` got locks: they are released at its end. */
  holdsLocks(): boolean;
  /** Takes over what a nested transaction registered: it is undone or made with this one. */
  adopt(undos: readonly Undo[], effects: readonly EffectStep[]): void;
  /** Commits the staged state; a nested transaction hands its effects to its parent. */
  commit(): Promise<void>;
  /** Makes the effects that wait for the commit. */
  makeEffects(): Promise<void>;
  /** Whether there are any that are not left to a parent. */
  hasEffects(): boolean;
  /**
   * Drops the staged state and runs the compensations, latest first. More than once does nothing.
   *
   * @param isNotDone - True if the tool says that nothing has happened.
   */
  rollback(isNotDone?: boolean): Promise<Rollback>;
  /** Ends the transaction for its tool, which may still be running: its late writes are refused. */
  abandon(reason: unknown): void;
}

/** How one effect is undone. */
export interface Undo {
  readonly name: string;
  readonly run: () => unknown;
}

/** What waits for the commit. */
export type EffectStep = () => unknown;

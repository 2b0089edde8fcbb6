import { ToolContractError } from "@toolcontract/core";
import type { Attempt, MaybePromise, Staged } from "../shared/index.ts";
import { type Locks, createLocks } from "../state/index.ts";
import { within } from "./time-limit.ts";

/** What an attempt consists of besides what the tool registers. */
export interface AttemptParts extends Pick<
  Attempt,
  "id" | "callId" | "tool" | "number" | "dryRun"
> {
  /** Computed when the tool asks for it. */
  readonly idempotencyKey: () => string;
  /** The slots that the attempt may touch; all of them if undefined. */
  readonly slots?: readonly string[] | undefined;
  /** The guardrails that the attempt belongs to. */
  readonly owner: object;
  readonly staged?: Staged<unknown> | undefined;
  /** What a tool without effects sees: what is committed, read-only. */
  readonly view?: { readonly state: unknown } | undefined;
  /** The attempt that this one joins. */
  readonly parent?: LiveAttempt | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one compensation or one effect after the commit may take. */
  readonly effectLimit: number;
  /** Locks the whole store, for a tool that runs without locks and calls others. */
  readonly lock?: (() => MaybePromise<() => void>) | undefined;
  /** Reports an effect that failed after the call was decided. */
  readonly onEffectFailed: (what: "compensation" | "outbox", name: string, thrown: unknown) => void;
}

/** What a rollback did. */
export interface Rollback {
  /** True if there was anything to undo. */
  readonly undid: boolean;
  /** The effects that could not be undone. */
  readonly failures: readonly string[];
}

/** An attempt under way: what the tool sees, and what ends it. */
export interface LiveAttempt {
  readonly owner: object;
  readonly attempt: Attempt;
  readonly staged: Staged<unknown> | undefined;
  readonly slots: readonly string[] | undefined;
  /** Nested attempts run one after the other. */
  readonly nested: Locks;
  /** True if it joins another attempt. */
  readonly isNested: boolean;
  /** True until the attempt is committed or rolled back. */
  isOpen(): boolean;
  /** Gets the locks that the attempts nested in it need, if it runs without. */
  lockAll(): Promise<void>;
  /** Whether `lockAll` got locks: they are released at its end. */
  holdsLocks(): boolean;
  /** What the attempt sees of the state, if it cannot change it. */
  readonly view: unknown;
  /** Takes over what a nested attempt registered: it is undone or made with this one. */
  adopt(undos: readonly Undo[], effects: readonly Effect[]): void;
  /** Commits the staged state; a nested attempt hands its effects to its parent. */
  commit(): Promise<void>;
  /** Makes the effects that wait for the commit. */
  makeEffects(): Promise<void>;
  /** Drops the staged state and runs the compensations, latest first. More than once does nothing. */
  rollback(): Promise<Rollback>;
  /** Ends the attempt for its tool, which may still be running: its late writes are refused. */
  abandon(reason: unknown): void;
}

interface Undo {
  readonly name: string;
  readonly run: () => unknown;
}

type Effect = () => unknown;

const CLOSED = "the attempt is over; finish all work before the tool returns";

/** Creates an attempt. */
export function createLiveAttempt(parts: AttemptParts): LiveAttempt {
  const { tool, staged, parent, effectLimit, onEffectFailed } = parts;
  const undos: Undo[] = [];
  const effects: Effect[] = [];
  let state: "open" | "committed" | "rolled back" = "open";
  let aborting: AbortController | undefined;
  let reason: unknown;
  let nested: Locks | undefined;
  let key: string | undefined;
  let locks: Promise<() => void> | undefined;

  function assertOpen(what: string): void {
    if (state !== "open") throw new ToolContractError(`${what}: ${CLOSED}.`);
  }

  async function undo({ name, run }: Undo): Promise<string | undefined> {
    try {
      await within(Promise.resolve(run()), effectLimit);
      return undefined;
    } catch (thrown) {
      onEffectFailed("compensation", name, thrown);
      return name;
    }
  }

  async function unlock(): Promise<void> {
    (await locks?.catch(() => undefined))?.();
  }

  const attempt: Attempt = {
    id: parts.id,
    callId: parts.callId,
    tool,
    number: parts.number,
    get idempotencyKey() {
      key ??= parts.idempotencyKey();
      return key;
    },
    dryRun: parts.dryRun,
    get state() {
      assertOpen("currentAttempt().state");
      if (staged) return staged.state;
      if (parts.view) return parts.view.state;
      throw new ToolContractError(
        "currentAttempt().state: these guardrails have no store. Pass one, such as createGuardrails({ store: slotStore({ … }) }).",
      );
    },
    get signal() {
      aborting ??= linkedTo(parts.signal);
      if (reason !== undefined) aborting.abort(reason);
      return aborting.signal;
    },
    onRollback(run, name = tool) {
      checkFunction("onRollback", run);
      // The effect is there already, so a late compensation runs at once.
      if (state === "rolled back") void undo({ name, run });
      else if (state === "open") undos.push({ name, run });
      else assertOpen("onRollback");
    },
    onCommit(run) {
      checkFunction("onCommit", run);
      assertOpen("onCommit");
      effects.push(run);
    },
  };

  return {
    owner: parts.owner,
    attempt,
    staged,
    slots: parts.slots,
    get nested() {
      nested ??= createLocks();
      return nested;
    },
    isNested: parent !== undefined,
    isOpen: () => state === "open",
    async lockAll() {
      if (parent) return parent.lockAll();
      locks ??= parts.lock && Promise.resolve(parts.lock());
      await locks;
    },
    holdsLocks: () => locks !== undefined,
    view: parts.view?.state,
    adopt(othersUndos, othersEffects) {
      undos.push(...othersUndos);
      effects.push(...othersEffects);
    },
    async commit() {
      await staged?.commit();
      state = "committed";
      parent?.adopt(undos, effects);
      await unlock();
    },
    async makeEffects() {
      if (parent) return;
      for (const run of effects) {
        try {
          await within(Promise.resolve(run()), effectLimit);
        } catch (thrown) {
          onEffectFailed("outbox", tool, thrown);
        }
      }
    },
    async rollback() {
      if (state !== "open") return { undid: false, failures: [] };
      const touched = staged?.touched().length ?? 0;
      state = "rolled back";
      const failures: string[] = [];
      try {
        await staged?.rollback();
      } catch (thrown) {
        onEffectFailed("compensation", "state", thrown);
        failures.push("state");
      }
      const compensated = undos.length;
      for (const one of undos.toReversed()) {
        const failed = await undo(one);
        if (failed !== undefined) failures.push(failed);
      }
      await unlock();
      return { undid: touched + compensated > 0, failures };
    },
    abandon(why) {
      reason = why;
      aborting?.abort(why);
    },
  };
}

function checkFunction(name: string, run: unknown): void {
  if (typeof run === "function") return;
  throw new ToolContractError(`${name}: pass a function, such as ${name}(() => release(id)).`);
}

function linkedTo(signal: AbortSignal | undefined): AbortController {
  const controller = new AbortController();
  if (signal?.aborted === true) controller.abort(signal.reason);
  else signal?.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  return controller;
}

import { ToolContractError } from "@toolcontract/core";
import { isPromiseLike, timeLimitError, within } from "@toolcontract/core/adapter";
import type { Attempt, MaybePromise, Staged } from "../shared/index.ts";
import { type Locks, createLocks } from "../state/index.ts";
import { runWithin } from "./current.ts";
import { lazySignal } from "./lazy-signal.ts";
import {
  type EffectStep,
  type LiveTransaction,
  NOTHING_DONE,
  type Undo,
} from "./live-transaction.ts";

/** What a transaction consists of besides what the tool registers. */
export interface TransactionParts extends Pick<Attempt, "id" | "callId" | "tool" | "number"> {
  /** Computed when the tool asks for it. */
  readonly idempotencyKey: () => string | undefined;
  /** The slots that the transaction may touch; all of them if undefined. */
  readonly slots?: readonly string[] | undefined;
  /** The guardrails that the transaction belongs to. */
  readonly owner: object;
  readonly judged: LiveTransaction["judged"];
  readonly staged?: Staged<unknown> | undefined;
  /** What a tool without effects sees: what is committed, read-only. */
  readonly view?: { readonly state: unknown } | undefined;
  /** The transaction that this one joins. */
  readonly parent?: LiveTransaction | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether there is a store at all. */
  readonly hasStore: boolean;
  /** True if nothing undoes what the tool does once it has started. */
  readonly isIrreversible: boolean;
  /** Milliseconds that one compensation or one effect after the commit may take. */
  readonly effectLimit: number;
  /** Milliseconds that the store may take to commit or to roll back. */
  readonly storeLimit: number;
  /** Releases the locks under which the transaction runs. */
  readonly unlock: () => void;
  /** How an effect may be called where the model reads it. */
  readonly nameOf: (name: string) => string;
  /** Locks the whole store, for a tool that runs without locks and calls others. */
  readonly lock?: (() => MaybePromise<() => void>) | undefined;
  /** Milliseconds that the tool may hold those locks. */
  readonly lockLimit: number;
  /** Reports an effect that failed after the call was decided. */
  readonly onEffectFailed: (what: "compensation" | "outbox", name: string, thrown: unknown) => void;
}

const CLOSED = "the attempt is over; finish all work before the tool returns";

/** Creates a transaction. */
export function createLiveTransaction(parts: TransactionParts): LiveTransaction {
  const { tool, staged, parent, effectLimit, onEffectFailed } = parts;
  const undos: Undo[] = [];
  const effects: EffectStep[] = [];
  let state: "open" | "sealed" | "committed" | "rolled back" = "open";
  let hasStarted = false;
  let isRunning = false;
  let nested: Locks | undefined;
  let key: string | undefined;
  let locks: Promise<() => void> | undefined;
  const cancelled = lazySignal(parts.signal);

  function assertOpen(what: string): void {
    if (state === "committed" || state === "rolled back") {
      throw new ToolContractError(`${what}: ${CLOSED}.`);
    }
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

  async function dropState(): Promise<{ readonly hadTouched: boolean; readonly failed: boolean }> {
    try {
      const hadTouched = (staged?.touched().length ?? 0) > 0;
      if (staged) await limitedStore(staged.rollback());
      return { hadTouched, failed: false };
    } catch (thrown) {
      onEffectFailed("compensation", "state", thrown);
      return { hadTouched: true, failed: true };
    }
  }

  /** Most stores answer at once, and then nothing is waited for. */
  function limitedStore(answer: MaybePromise<void>): MaybePromise<void> {
    return isPromiseLike(answer) ? within(answer, parts.storeLimit) : undefined;
  }

  /** From now on others wait for the tool. */
  function limited(release: () => void): () => void {
    const limit = parts.lockLimit;
    const timer = setTimeout(() => cancelled.abort(timeLimitError(limit)), limit);
    return () => {
      clearTimeout(timer);
      release();
    };
  }

  async function unlock(): Promise<void> {
    (await locks?.catch(() => undefined))?.();
  }

  const attempt = new OpenAttempt(parts, {
    idempotencyKey() {
      key ??= parts.idempotencyKey();
      return key;
    },
    state() {
      assertOpen("currentAttempt().state");
      if (parts.view) return parts.view.state;
      if (staged) return staged.state;
      throw new ToolContractError(
        parts.hasStore
          ? `currentAttempt().state: say what '${tool}' does, such as createGuardrails({ effects: { ${tool}: "state" } }); until then it has no state.`
          : "currentAttempt().state: these guardrails have no store. Pass one, such as createGuardrails({ store: slotStore({ … }) }).",
      );
    },
    signal: () => cancelled.signal(),
    onRollback(run, given = tool) {
      checkFunction("onRollback", run);
      const name = parts.nameOf(given);
      if (state === "committed") assertOpen("onRollback");
      // The effect is there already, so a late compensation runs at once.
      if (state === "rolled back") void undo({ name, run });
      else undos.push({ name, run });
    },
    onCommit(run) {
      checkFunction("onCommit", run);
      assertOpen("onCommit");
      effects.push(run);
    },
  });

  const live: LiveTransaction = {
    owner: parts.owner,
    judged: parts.judged,
    attempt,
    staged,
    slots: parts.slots,
    nested: () => (nested ??= createLocks()),
    isNested: parent !== undefined,
    run(execute) {
      hasStarted = true;
      isRunning = true;
      const settled = (): void => {
        isRunning = false;
      };
      try {
        const running = runWithin(live, execute);
        if (isPromiseLike(running)) Promise.resolve(running).then(settled, settled);
        else settled();
        return running;
      } catch (thrown) {
        settled();
        throw thrown;
      }
    },
    isRunning: () => isRunning,
    isOpen: () => state === "open",
    isOrphaned: () => parent?.isOpen() === false,
    async lockAll() {
      if (parent) return parent.lockAll();
      locks ??= parts.lock && Promise.resolve(parts.lock()).then(limited);
      await locks;
    },
    holdsLocks: () => locks !== undefined,
    seal() {
      state = "sealed";
      const sealed: unknown = staged?.seal();
      return parts.view?.state ?? sealed;
    },
    adopt(othersUndos, othersEffects) {
      undos.push(...othersUndos);
      effects.push(...othersEffects);
    },
    async commit() {
      // Most calls have no state, and then nothing is awaited.
      if (staged) await limitedStore(staged.commit());
      state = "committed";
      parent?.adopt(parts.isIrreversible ? [irreversible(tool), ...undos] : undos, effects);
      if (locks) await unlock();
    },
    hasEffects: () => parent === undefined && effects.length > 0,
    async makeEffects() {
      for (const run of effects) {
        try {
          await within(Promise.resolve(run()), effectLimit);
        } catch (thrown) {
          onEffectFailed("outbox", tool, thrown);
        }
      }
    },
    async rollback(isNotDone = false) {
      if (state === "committed" || state === "rolled back") return NOTHING_DONE;
      state = "rolled back";
      const { hadTouched, failed } = await dropState();
      const failures = failed ? ["state"] : [];
      // What undoes an effect may call tools that wait for these slots.
      await unlock();
      parts.unlock();
      for (const one of undos.toReversed()) {
        const name = await undo(one);
        if (name !== undefined) failures.push(name);
      }
      return {
        undid: hadTouched || undos.length > 0,
        failures,
        isWhole: failures.length === 0 && (isNotDone || !(hasStarted && parts.isIrreversible)),
      };
    },
    abandon: cancelled.abort,
  };
  return live;
}

/** What an irreversible call did inside another one stays if that one is undone. */
function irreversible(name: string): Undo {
  return {
    name,
    run: () => {
      throw new Error("The effect is irreversible");
    },
  };
}

/** What the members of an attempt do when they are used. */
interface AttemptMembers extends Pick<Attempt, "onRollback" | "onCommit"> {
  readonly idempotencyKey: () => string | undefined;
  readonly state: () => unknown;
  readonly signal: () => AbortSignal;
}

/** A class, because getters of an object literal cost a hidden class for each object, which only a full collection frees. */
class OpenAttempt implements Attempt {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  readonly number: number;
  readonly onRollback: Attempt["onRollback"];
  readonly onCommit: Attempt["onCommit"];
  readonly #members: AttemptMembers;

  constructor({ id, callId, tool, number }: TransactionParts, members: AttemptMembers) {
    this.id = id;
    this.callId = callId;
    this.tool = tool;
    this.number = number;
    this.onRollback = members.onRollback;
    this.onCommit = members.onCommit;
    this.#members = members;
  }

  get idempotencyKey(): string | undefined {
    return this.#members.idempotencyKey();
  }

  get state(): unknown {
    return this.#members.state();
  }

  get signal(): AbortSignal {
    return this.#members.signal();
  }
}

function checkFunction(name: string, run: unknown): void {
  if (typeof run === "function") return;
  throw new ToolContractError(`${name}: pass a function, such as ${name}(() => release(id)).`);
}

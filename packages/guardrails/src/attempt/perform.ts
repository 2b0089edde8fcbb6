import { runChecks } from "./checks.ts";
import { begin } from "./begin.ts";
import { runningAttempt } from "./current.ts";
import { type AttemptEnd, type Refused, violatedBy } from "./ends.ts";
import type { LiveAttempt } from "./live-attempt.ts";
import { lockNames, locksOf, viewOf } from "./policy.ts";
import { type AttemptRequest, type Engine, factsOf } from "./request.ts";
import { runAndJudge, uncommitted } from "./run-and-judge.ts";

const MAX_ROUNDS = 3;

/** Runs one attempt from its locks to its commit; everything it did is undone unless it succeeds. */
export async function performAttempt(request: AttemptRequest, engine: Engine): Promise<AttemptEnd> {
  const parent = joined(engine);
  for (let round = 0; ; round += 1) {
    const isLast = round >= MAX_ROUNDS || request.runsOnce;
    const release = await acquire(request, engine, parent, isLast);
    try {
      const end = await attemptOnce(request, engine, parent);
      if (end === CONFLICT) continue;
      if (!("live" in end)) return end;
      release();
      await end.live.makeEffects();
      return { kind: "succeeded", value: end.value };
    } finally {
      release();
    }
  }
}

/** A committed attempt, whose last effects need no locks. */
interface Committed {
  readonly live: LiveAttempt;
  readonly value: unknown;
}

/** The attempt whose tool made this call. */
function joined({ owner, store }: Engine): LiveAttempt | undefined {
  const outer = runningAttempt();
  if (outer?.owner !== owner || !outer.isOpen()) return undefined;
  // A tool that stages nothing has nothing to join.
  return store === undefined || outer.staged ? outer : undefined;
}

async function acquire(
  { policy, signal }: AttemptRequest,
  { store }: Engine,
  parent: LiveAttempt | undefined,
  isLast: boolean,
): Promise<() => void> {
  if (parent) {
    await parent.lockAll();
    return parent.nested.acquire(["*"], signal);
  }
  const isLocked = policy.access === "locked" || (policy.access === "optimistic" && isLast);
  if (!store || !isLocked) return () => undefined;
  return locksOf(store).acquire(lockNames(store, policy.slots), signal);
}

const CONFLICT = Symbol("another attempt committed first");

async function attemptOnce(
  request: AttemptRequest,
  engine: Engine,
  parent: LiveAttempt | undefined,
): Promise<AttemptEnd | Committed | typeof CONFLICT> {
  const { policy, trace } = request;
  const refused = await checkBefore(request, engine, parent);
  if (refused) return refused;
  trace.validated();
  if (policy.rehearses) {
    const rehearsal = begin(request, engine, parent, true);
    const end = await runAndJudge(rehearsal, request, engine);
    // Whatever a rehearsal staged is dropped.
    if (end.kind !== "ran") return end.end;
    await rehearsal.rollback();
  }
  const live = begin(request, engine, parent, false);
  const end = await runAndJudge(live, request, engine);
  if (end.kind !== "ran") return end.end;
  return commit(live, end.value, request, engine);
}

/** The guardrails that look at the state before the tool runs. */
async function checkBefore(
  request: AttemptRequest,
  { store, limits }: Engine,
  parent: LiveAttempt | undefined,
): Promise<Refused | undefined> {
  if (request.before.length === 0) return undefined;
  const state = (): unknown => (store ? viewOf(store, parent?.staged) : undefined);
  const found = await runChecks(request.before, factsOf(request, limits, { state, touched: [] }));
  return found.length === 0 ? undefined : violatedBy(found);
}

async function commit(
  live: LiveAttempt,
  value: unknown,
  request: AttemptRequest,
  { store }: Engine,
): Promise<Refused | Committed | typeof CONFLICT> {
  const { policy, signal, trace } = request;
  const { staged } = live;
  const isUnlocked = policy.access === "optimistic" || policy.access === "unlocked";
  const touched = staged?.touched() ?? [];
  const mustLock = store && isUnlocked && touched.length > 0 && !live.isNested;
  const release =
    mustLock && !live.holdsLocks() ? await locksOf(store).acquire(touched, signal) : undefined;
  try {
    if ((staged?.conflicts().length ?? 0) > 0) {
      if (policy.access === "optimistic") {
        await live.rollback();
        return CONFLICT;
      }
      throw new Error("Another attempt committed first; declare the tool's `locks`");
    }
    await live.commit();
  } catch (thrown) {
    return uncommitted(live, thrown, request);
  } finally {
    release?.();
  }
  trace.executed(true);
  trace.succeeded();
  return { live, value };
}

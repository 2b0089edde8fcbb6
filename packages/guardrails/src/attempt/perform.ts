import { ToolContractError } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import { runChecks } from "./checks.ts";
import { StoreFailedError, asked, begin } from "./begin.ts";
import { runningAttempt } from "./current.ts";
import { type AttemptEnd, type Refused, failedIn, notPossible, violatedBy } from "./ends.ts";
import { type LiveAttempt, NOTHING_DONE } from "./live-attempt.ts";
import { lockNames, locksOf, viewOf } from "./policy.ts";
import { type AttemptRequest, type Engine, factsOf } from "./request.ts";
import { ConflictError, runAndJudge, uncommitted } from "./run-and-judge.ts";

const MAX_ROUNDS = 3;

/** Runs one attempt from its locks to its commit; everything it did is undone unless it succeeds. */
export async function performAttempt(request: AttemptRequest, engine: Engine): Promise<AttemptEnd> {
  try {
    return await runRounds(request, engine, joined(engine));
  } catch (thrown) {
    return unbegun(thrown, request);
  }
}

/** The end of an attempt whose tool has not run: it was cancelled while it waited, or it could not begin. */
function unbegun(thrown: unknown, { log }: AttemptRequest): AttemptEnd {
  if (!(thrown instanceof StoreFailedError)) {
    return { kind: "threw", error: thrown, rollback: NOTHING_DONE };
  }
  log("The store failed before the tool ran", { error: errorClass(thrown.cause) });
  const found = notPossible(errorClass(thrown.cause));
  return failedIn("execution", found, NOTHING_DONE, undefined, "dependency_unavailable");
}

async function runRounds(
  request: AttemptRequest,
  engine: Engine,
  parent: LiveAttempt | undefined,
): Promise<AttemptEnd> {
  const { access } = request.policy;
  for (let round = 0; ; round += 1) {
    const isLast = round >= MAX_ROUNDS || request.runsOnce;
    const isLocked = access === "locked" || (access === "optimistic" && isLast);
    const release = await acquire(request, engine, parent, isLocked);
    try {
      const end = await attemptOnce(request, engine, parent, isLocked);
      if (end === CONFLICT) continue;
      if (!("live" in end)) return end;
      release();
      if (end.live.hasEffects()) await end.live.makeEffects();
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
  if (outer?.owner !== owner) return undefined;
  if (!outer.isOpen()) {
    // What a tool left behind when it returned is on its own, a tool that was given up is not.
    if (!outer.isRunning()) return undefined;
    throw new ToolContractError(
      `'${outer.attempt.tool}' calls another tool, but the attempt is over: its time was up or it was cancelled. Stop when currentAttempt().signal aborts.`,
    );
  }
  // A tool that stages nothing has nothing to join.
  return store === undefined || outer.staged ? outer : undefined;
}

async function acquire(
  { policy, signal }: AttemptRequest,
  { store }: Engine,
  parent: LiveAttempt | undefined,
  isLocked: boolean,
): Promise<() => void> {
  if (parent) {
    await parent.lockAll();
    return parent.nested().acquire(["*"], signal);
  }
  if (!store || !isLocked) return () => undefined;
  return locksOf(store).acquire(lockNames(store, policy.slots), signal);
}

const CONFLICT = Symbol("another attempt committed first");

async function attemptOnce(
  request: AttemptRequest,
  engine: Engine,
  parent: LiveAttempt | undefined,
  isLocked: boolean,
): Promise<AttemptEnd | Committed | typeof CONFLICT> {
  const { policy, trace } = request;
  const refused = await checkBefore(request, engine, parent);
  if (refused) return refused;
  trace.validated();
  const isRehearsed = parent?.attempt.dryRun === true;
  checkRehearsal(request, isRehearsed ? parent : undefined);
  if (policy.rehearses && !isRehearsed) {
    const rehearsal = begin(request, engine, parent, true);
    const end = await runAndJudge(rehearsal, request, engine);
    // Whatever a rehearsal staged is dropped.
    if (end.kind !== "ran") return end.end;
    await rehearsal.rollback();
  }
  const live = begin(request, engine, parent, isRehearsed);
  const end = await runAndJudge(live, request, engine);
  if (end.kind !== "ran") return end.end;
  return commit(live, end.value, request, engine, isLocked);
}

function checkRehearsal(
  { runsOnce, tool, policy }: AttemptRequest,
  rehearsal: LiveAttempt | undefined,
): void {
  const { rehearses, effect } = policy;
  if (rehearses && runsOnce) {
    throw new ToolContractError(
      `createGuardrails: '${tool}' rehearses its calls, but this host runs each call once. Take it out of \`dryRuns\`.`,
    );
  }
  if (rehearses || rehearsal === undefined || effect === "none" || effect === "state") return;
  throw new ToolContractError(
    `createGuardrails: '${rehearsal.attempt.tool}' rehearses and calls '${tool}', whose effects would be real. Add '${tool}' to \`dryRuns\`, or call it only if currentAttempt().dryRun is false.`,
  );
}

/** The guardrails that look at the state before the tool runs. */
async function checkBefore(
  request: AttemptRequest,
  { store, limits }: Engine,
  parent: LiveAttempt | undefined,
): Promise<Refused | undefined> {
  if (request.before.length === 0) return undefined;
  const view = store && asked(() => viewOf(store, parent?.staged));
  const facts = factsOf(request, limits, { state: () => view, touched: [] });
  const found = await runChecks(request.before, facts);
  return found.length === 0 ? undefined : violatedBy(found);
}

async function commit(
  live: LiveAttempt,
  value: unknown,
  request: AttemptRequest,
  { store }: Engine,
  isLocked: boolean,
): Promise<AttemptEnd | Committed | typeof CONFLICT> {
  const { policy, signal, trace } = request;
  const { staged } = live;
  let release: (() => void) | undefined;
  try {
    const isProtected = isLocked || live.isNested || live.holdsLocks();
    const touched = isProtected ? [] : (staged?.touched() ?? []);
    if (store && touched.length > 0) release = await locksOf(store).acquire(touched, signal);
    // From here on the call cannot be cancelled any more.
    if (signal?.aborted === true || live.isOrphaned()) {
      const error: unknown = signal?.aborted === true ? signal.reason : orphaned(live);
      return { kind: "threw", error, rollback: await live.rollback() };
    }
    if ((staged?.conflicts().length ?? 0) > 0) {
      const mayRepeat = policy.access === "optimistic" && !isLocked;
      if (!mayRepeat) throw new ConflictError("Another attempt committed first");
      const { failures } = await live.rollback();
      if (failures.length === 0) return CONFLICT;
      throw new ConflictError("Another attempt committed first, and not all was undone");
    }
    await live.commit();
  } catch (thrown) {
    if (signal?.aborted === true && thrown === signal.reason) {
      return { kind: "threw", error: thrown, rollback: await live.rollback() };
    }
    return uncommitted(live, thrown, request);
  } finally {
    release?.();
  }
  trace.executed(true);
  trace.succeeded();
  return { live, value };
}

function orphaned({ attempt: { tool } }: LiveAttempt): ToolContractError {
  return new ToolContractError(
    `'${tool}' was called by a tool whose attempt is over. Await all calls before the tool returns.`,
  );
}

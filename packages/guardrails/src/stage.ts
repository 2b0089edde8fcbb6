import type { ToolCall } from "@toolcontract/core";
import type {
  CallsElsewhere,
  ExecutionStage,
  StageAnswer,
  StageContext,
  StageReports,
  StagedCall,
} from "@toolcontract/core/stage";
import { chain } from "@toolcontract/core/adapter";
import type { Closings } from "./closings.ts";
import { EVENTS, type Listeners } from "./listeners.ts";
import { settleRefusal, settleUncounted } from "./settle.ts";
import { type TracedCall, type Trace, type TraceServices, openTrace } from "./trace/index.ts";
import {
  type AnyGuardrail,
  type AskedTransaction,
  type AskedCall,
  type Engine,
  type ToolPolicy,
  type TransactionEnd,
  askingAbout,
  engineFor,
  isGranted,
  isRunning,
  isWithin,
  runChecks,
  splitFound,
  transact,
} from "./transaction/index.ts";
import { askingFor, callIdentity, logOf, spenderOf } from "./stage-call.ts";
import { askRefusal, observing } from "./ask-refusal.ts";
import { brokenOff, closedBy, failureOf, refusalOf, withheldAs } from "./answers.ts";

type StageCheck = ReturnType<NonNullable<ExecutionStage["check"]>>;

/** What is logged of a tool of which nothing is declared. */
export const UNDECLARED = "No effect is declared for a tool, so it counts as irreversible";
const SPENDS_ELSEWHERE =
  "A tool that spends runs elsewhere, so its limits cannot be kept and it is refused";
const RUNS_ELSEWHERE = "A tool runs elsewhere, so its commit guardrails are not asked";

const OWN_KEY =
  "Nothing tells the calls of a tool apart in other processes, so its idempotency keys are good in this one alone: pass a runId for each run, or ids that no other call has";
const ONE_TURN =
  "Many calls of a tool were refused in one turn, which counts as one attempt: pass a turnId for each turn";
const MANY_IN_A_TURN = 20;

/** What the stage of a set of guardrails needs. */
export interface StageServices extends TraceServices {
  readonly engine: Engine;
  readonly closings: Closings;
  readonly policyOf: (tool: string) => ToolPolicy;
  readonly lanes: Readonly<Record<"guardrail" | "outcome", number>>;
  /** Logs a message once for each tool. */
  readonly noteOnce: (message: string, tool: string, reports: StageReports) => void;
  /** What other processes know of calls; undefined without records. */
  readonly elsewhere: CallsElsewhere | undefined;
  readonly listeners: Listeners;
  readonly checkNames: (names: readonly string[]) => void;
  /** Throws if a commit guardrail covers one of these tools and could not undo what it did. */
  readonly checkCommit: (names: readonly string[]) => void;
}

/** Creates the stage: what a contract asks before a call, and what runs it. */
export function createStage(services: StageServices): ExecutionStage {
  const { policyOf, lanes } = services;
  const { closings } = services;
  /** The calls whose guardrails were asked as they were decided, and not earlier by a check alone. */
  const checked = new WeakSet<ToolCall>();
  const seen = { state: new WeakSet<AnyGuardrail>(), argumentsAlone: new WeakSet<AnyGuardrail>() };

  /** The guardrails whose verdict is not known from the arguments alone. */
  function pending({ validate }: ToolPolicy): readonly AnyGuardrail[] {
    return validate.filter((one) => {
      if (one.needs !== undefined) return one.needs === "state";
      return seen.state.has(one) || !seen.argumentsAlone.has(one);
    });
  }

  /** Whether a guardrail is asked when the call runs: of one that always read the state, that is known from its first call on. */
  function waits(one: AnyGuardrail, runs: boolean): boolean {
    if (one.needs !== undefined) return one.needs === "state";
    return runs && seen.state.has(one) && !seen.argumentsAlone.has(one);
  }

  function check(args: unknown, context: StageContext): StageCheck {
    const { tool, reports } = context;
    const { commit } = policyOf(tool);
    const { engine } = services;
    if (isWithin({ ...callIdentity(context), args }, engine)) return undefined;
    if (context.runsHere === false && commit.length > 0) {
      services.noteOnce(RUNS_ELSEWHERE, tool, reports);
    }
    if (context.runsHere === false && engine.spendings?.spends(tool) === true) {
      services.noteOnce(SPENDS_ELSEWHERE, tool, reports);
      return refusalOf(tool, closedBy("unsupported_capability"), reports);
    }
    return chain(closings.reasonFor(context), (reason) =>
      reason === undefined ? checkOpen(args, context) : refusalOf(tool, closedBy(reason), reports),
    );
  }

  /** Asks about a tool that is not closed. */
  function checkOpen(args: unknown, context: StageContext): StageCheck {
    const { tool, reports, attempts, call } = context;
    const { validate } = policyOf(tool);
    const { engine } = services;
    const { store } = engineFor(engine, spenderOf(context));
    // Without an attempt, the committed state is all there is to look at.
    const { runsHere, beforeApproval } = context;
    const isWhole = runsHere === false || beforeApproval !== undefined || store === undefined;
    const isRest = beforeApproval === "rest";
    const known = isRest ? pending(policyOf(tool)) : validate;
    const asked = isWhole ? known : validate.filter((one) => !waits(one, call !== undefined));
    if (asked.length === 0) return undefined;
    const read = new Set<AnyGuardrail>();
    const deferred = (guardrail: AnyGuardrail): void => {
      seen.state.add(guardrail);
      read.add(guardrail);
    };
    if (call) checked.add(call);
    const subject: AskedCall = {
      tool,
      args,
      definition: context.definition,
      guardrailAttempt: attempts?.guardrail ?? 1,
      callId: call?.id ?? context.callId,
      conversationId: context.conversationId,
      ...askingOf(context),
      signal: context.signal,
      log: logOf(tool, reports),
    };
    const visible = { state: isWhole ? () => store?.state : needState };
    const limit = engine.limits.guardrail;
    const answers = runChecks(asked, askingAbout(subject, visible), limit, {
      deferred: isWhole ? undefined : deferred,
      unsettled: (guardrail) => void seen.state.add(guardrail),
      unplaced(guardrail) {
        seen.state.add(guardrail);
        read.add(guardrail);
        // Of a call that runs elsewhere, nothing more is ever known.
        return runsHere !== false;
      },
    });
    return chain(answers, (found) => {
      const seesState = isWhole && store !== undefined;
      for (const one of seesState ? [] : asked) if (!read.has(one)) seen.argumentsAlone.add(one);
      const { refused, asks } = splitFound(found);
      if (refused === undefined) {
        // Asked again when the call runs, on the state of then, and with a grant that is used up.
        for (const { type } of asks)
          for (const one of asked) if (one.name === type) seen.state.add(one);
        if (asks.length === 0 || isGranted(subject, asks, engine.grants)) return undefined;
        return askRefusal(subject, asks, reports, engine.grants);
      }
      if (refused.isHosts === true) return refusalOf(tool, refused, reports);
      return {
        ...refusalOf(tool, refused, reports),
        onCounted: (identity, attempt) =>
          void chain(services.sequences.find(callIdentity(identity)), () => {
            const numbers = { guardrail: attempt };
            const trace = openTrace(callIdentity(identity), numbers, identity.reports, services);
            trace.generated();
            settleRefusal(tool, trace, refused, attempt, lanes.guardrail);
            noteOneTurn(tool, trace, identity.reports);
            void closings.refused(callIdentity(identity));
          }),
      };
    });
  }

  async function around(staged: StagedCall): Promise<StageAnswer> {
    const { tool, reports, attempts, args, signal, run, runsOnce, callTool } = staged;
    services.checkCommit([tool]);
    const identity = callIdentity(staged);
    if (isWithin({ ...identity, args }, services.engine))
      return { action: "return", value: await run() };
    const policy = policyOf(tool);
    if (!policy.isDeclared) services.noteOnce(UNDECLARED, tool, reports);
    const reason = await closings.reasonFor(identity);
    if (reason !== undefined) {
      const refusal = refusalOf(tool, closedBy(reason), reports);
      if (!staged.observe) return refusal;
      await staged.observe(refusal);
    }
    const { guardrail = 1, outcome = 1 } = attempts;
    // Most calls wait for no records.
    const finding = services.sequences.find(identity);
    if (finding) await finding;
    const trace = openTrace(identity, { guardrail, outcome }, reports, services);
    trace.generated();
    const request = {
      ...identity,
      args,
      definition: staged.definition,
      policy,
      before: checked.has(staged.call) ? pending(policy) : policy.validate,
      trace,
      guardrailAttempt: guardrail,
      ...askingOf(staged),
      signal,
      run,
      noteKey: () => services.noteOnce(OWN_KEY, tool, reports),
      runsOnce,
      repairsBugs: false,
      callTool,
      sanitize: reports.sanitize.bind(reports),
      log: logOf(tool, reports),
    };
    const observe = staged.observe && observing(request, staged.observe, reports, services);
    const end = await transact(
      { ...request, observe },
      engineFor(services.engine, request.spender),
    );
    if (end.kind === "asked")
      return askRefusal(request, end.found, reports, services.engine.grants);
    const answer = await answerTo(end, identity, trace, { guardrail, outcome }, reports);
    const writing = services.sequences.written();
    if (writing) await writing;
    return answer;
  }

  /**
   * A call that has run is not run again if its tool does something that was declared, or spends; one that cannot be undone is not made
   * twice in a message either.
   */
  function unrepeatable(
    tool: string,
    { id }: ToolCall,
  ): ReturnType<NonNullable<ExecutionStage["unrepeatable"]>> {
    const { effect, isDeclared } = policyOf(tool);
    const isSpent = services.engine.spendings?.spends(tool) === true;
    if (!isSpent && (!isDeclared || effect === "none")) return undefined;
    // Its tool makes the same call: waiting for it would never end.
    if (isRunning(tool, id)) return undefined;
    // A key or a rollback makes it safe to run such a call once more.
    const isSafe = !isSpent && (effect === "idempotent" || effect === "state");
    if (isSafe) return {};
    // Equal calls that its tool makes are calls of their own.
    const runsOnce = (isSpent || effect === "irreversible") && !isRunning(tool);
    const { elsewhere } = services;
    return { brokenOff: brokenOff(tool), runsOnce, ...(elsewhere && { elsewhere }) };
  }

  /** Calls of one turn are one attempt, so a host that never names another turn has no last one. */
  function noteOneTurn(tool: string, trace: Trace, reports: StageReports): void {
    if (trace.failedInTurn() >= MANY_IN_A_TURN) services.noteOnce(ONE_TURN, tool, reports);
  }

  async function answerTo(
    end: Exclude<TransactionEnd, AskedTransaction>,
    identity: TracedCall,
    trace: Trace,
    attempts: Readonly<Record<"guardrail" | "outcome", number>>,
    reports: StageReports,
  ): Promise<StageAnswer> {
    switch (end.kind) {
      case "succeeded":
        if (end.withheld) return withheldAs(end.withheld);
        return { action: "return", value: end.value };
      case "refused":
        if (end.isHosts === true) return refusalOf(identity.tool, end, reports);
        settleRefusal(identity.tool, trace, end, attempts[end.lane], lanes[end.lane]);
        noteOneTurn(identity.tool, trace, reports);
        if (end.lane === "guardrail") await closings.refused(identity);
        return refusalOf(identity.tool, end, reports);
      case "failed":
        settleUncounted(trace, end);
        await closings.close(identity, end.failure?.terminal);
        return failureOf(end);
      case "threw":
        settleUncounted(trace, end);
        await closings.close(identity, end.failure?.terminal);
        return { action: "throw", error: end.error };
    }
  }

  /** Who asks, and how much they have left. */
  function askingOf(
    context: StageContext,
  ): Pick<AskedCall, "spender" | "usage" | "ran" | "onGuardrailError"> {
    return askingFor(spenderOf(context), services.engine);
  }

  return {
    name: "guardrails",
    lanes,
    events: EVENTS,
    defers: services.engine.store !== undefined,
    attach: services.listeners.attach,
    checkTools: services.checkNames,
    checkCallable: services.checkCommit,
    judges: (tool) => policyOf(tool).isJudged || services.engine.spendings?.spends(tool) === true,
    check,
    around,
    unrepeatable,
    effectOf(tool) {
      const { effect, isDeclared } = policyOf(tool);
      return isDeclared ? effect : undefined;
    },
    isReopened: (run) => closings.isReopened(run),
  };
}

const NEEDS_STATE = new Error("This guardrail reads the state");

function needState(): never {
  throw NEEDS_STATE;
}

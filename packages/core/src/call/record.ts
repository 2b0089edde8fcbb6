import {
  type AttemptLimits,
  type Tally,
  type Tracker,
  TrackerTally,
  UNKNOWN_TOOL,
  historyTally,
} from "../attempts/index.ts";
import type { ReportedCall, Reporter } from "../observe/index.ts";
import { type MaybePromise, type Sanitizer, all, chain } from "@toolcontract/explain/adapter";
import {
  type Lane,
  type StageReports,
  type ToolCall,
  type ToolDefinition,
  meantTool,
} from "../shared/index.ts";
import { formatAdvisories } from "../message/index.ts";
import { type CallContext, findTool, toolNames } from "./context.ts";
import type { Admitted, Refused, ValidArguments } from "./decision.ts";
import type { Failures } from "./failures.ts";
import type { CallEnd, Journal } from "./journal.ts";
import type { CallOptions } from "./options.ts";
import { withOwnArguments } from "./own-arguments.ts";
import type { ToolPlan } from "./validate.ts";

/** What the calls of one contract share. */
export interface CallServices {
  readonly options: CallOptions;
  readonly limits: AttemptLimits;
  readonly sanitizer: Sanitizer;
  readonly reporter: Reporter;
  /** Reports that the store has failed in a call of a tool. */
  readonly onStoreFault: (thrown: unknown, toolName: string) => void;
  /** What the stage reports with. */
  readonly reports: StageReports;
  readonly tracker: Tracker;
  /** The tracker of what has another number of attempts than the contract's tools. */
  readonly trackerFor: (maxAttempts: number) => Tracker;
  /** Everything that checking a call of this tool needs. */
  readonly planOf: (tool: ToolDefinition) => ToolPlan;
  /** Shows the stage the called tool, and the host's table of tools if the context has one. */
  readonly checkTools: (tool: ToolDefinition, context: CallContext) => void;
  /** Creates a turn id that no other turn has. */
  readonly newTurnId: () => string;
  /** Returns true the first time it sees a key. */
  readonly isFirst: (key: string) => boolean;
  /** Failures of tools at run time; undefined if a stage judges them, or none is counted. */
  readonly failures: Failures | undefined;
  /** What came of the calls that must not run again; undefined if any may. */
  readonly journal: Journal | undefined;
}

/** What the host knows about a call of a turn that has a name. */
export interface NamedContext extends CallContext {
  readonly turnId: string;
  /** The element of its message that the call is in the journal. */
  readonly element?: string | undefined;
}

/** Who called what, and where. */
interface Called {
  readonly call: ToolCall;
  /** The called tool; undefined if the host has none of that name. */
  readonly tool: ToolDefinition | undefined;
  /** True for the final answer, which is not a call of a tool. */
  readonly isAnswer?: true | undefined;
  /** The name under which the call is counted and logged: that of the tool that was called or meant, if the host has it. */
  readonly name: string;
  readonly context: NamedContext;
  readonly services: CallServices;
}

/** One call, and what deciding, running and reporting it takes. A class, because every valid call has one. */
export class CallRecord implements Called {
  readonly call: ToolCall;
  readonly tool: ToolDefinition | undefined;
  readonly isAnswer: true | undefined;
  readonly name: string;
  readonly context: NamedContext;
  /** The call as it is reported. */
  readonly reported: ReportedCall;
  readonly tally: Tally;
  readonly services: CallServices;

  constructor({ call, tool, isAnswer, name, context, services }: Called, tally: Tally) {
    this.call = call;
    this.tool = tool;
    this.isAnswer = isAnswer;
    this.name = name;
    this.context = context;
    this.services = services;
    this.tally = tally;
    const shown = isAnswer ? call.name : name;
    this.reported = services.reporter.begin(shown, call.id, context);
  }

  /** Everything that checking a call of the tool needs. */
  plan(): ToolPlan {
    return this.services.planOf(this.tool ?? { name: this.call.name });
  }
}

/** Begins the record of a call. */
export function recordOf(
  given: ToolCall,
  context: NamedContext,
  services: CallServices,
): CallRecord {
  const tool = findTool(given.name, context);
  const name = tool?.name ?? meantName(given, context) ?? UNKNOWN_TOOL;
  const { guardrails } = services.options;
  const isJudged = guardrails !== undefined && guardrails.judges?.(name) !== false;
  const call = isJudged ? withOwnArguments(given) : given;
  const called = { call, tool, name, context, services };
  const tally = tallyOf(called);
  if (guardrails?.isReopened === undefined) return new CallRecord(called, tally);
  const { conversationId, runId } = context;
  const isReopened = guardrails.isReopened({ tool: name, conversationId, runId });
  return new CallRecord(called, isReopened ? reopened(tally) : tally);
}

function meantName({ name }: ToolCall, context: NamedContext): string | undefined {
  return context.unavailable ? undefined : meantTool(name, toolNames(context));
}

/** Who counts the attempts of a call; nothing else asks. */
function tallyOf(called: Called): Tally {
  const { call, tool, name, context, services } = called;
  const { limits, tracker, onStoreFault, options } = services;
  const { attempts, knowsRun, knowsConversation } = context;
  if (attempts) {
    // Nothing that was only observed is in the host's history. Nor may calls of unrelated users count together.
    const isAlone = knowsRun === false && knowsConversation === false;
    if (options.mode !== "observe" || isAlone)
      return historyTally(attempts, limits, (lane) => isFirstInTurn(called, "closed", lane));
  }
  const { conversationId } = context;
  const formerName = tool === undefined ? call.name : undefined;
  const counted = { conversationId, name, formerName, turn: context };
  return new TrackerTally(tracker, counted, limits, onStoreFault);
}

/** The host's own count may still say that the tool is closed. */
function reopened(tally: Tally): Tally {
  return {
    number: () => tally.number(),
    valid: (lane) => tally.valid(lane),
    failed: async (failure) => tally.failed(failure),
    standing: () => chain(tally.standing(), ({ numbers }) => ({ numbers })),
    isBlocked: () => tally.isBlocked(),
  };
}

/** Whether no other call of the tool did the same in this turn. */
function isFirstInTurn(
  { name, context, services }: Called,
  did: "closed" | "recovered",
  lane: Lane,
): boolean {
  const { conversationId, turnId } = context;
  return services.isFirst(JSON.stringify([did, conversationId, turnId, name, lane]));
}

/** Records that a call succeeded in the lanes of the stage; `attempt` is its number among those with invalid arguments. */
export function recordSuccess(record: CallRecord, attempt: number): MaybePromise<void> {
  const { tally, services } = record;
  const { stageLanes } = services.limits;
  return chain(all(stageLanes.map((lane) => tally.valid(lane))), (attempts) => {
    reportRecovery(record, "validation", attempt);
    for (const [index, lane] of stageLanes.entries())
      reportRecovery(record, lane, attempts[index] ?? 1);
  });
}

/** Reports a call that succeeded after failed attempts of its tool, once a turn. */
function reportRecovery(record: CallRecord, lane: Lane, attempt: number): void {
  if (attempt === 1 || !isFirstInTurn(record, "recovered", lane)) return;
  const { reported: call, services } = record;
  services.reporter.report({ kind: "recovered", call, lane, attempt });
}

/** What is known of an admitted call beside its arguments. */
interface KnownOfCall {
  /** What came of it if it has run before and comes again. */
  readonly end?: CallEnd | undefined;
  readonly observed?: ObservedCall;
}

/** A call that would have been refused. */
export interface ObservedCall {
  /** What would have been answered. */
  readonly answer: Refused;
  /** False if nobody can read its arguments. */
  readonly isReadable: boolean;
}

const NOTHING: KnownOfCall = Object.freeze({});

/**
 * An admitted call with everything needed to run it. A class, because a getter of an object literal costs a hidden class for each
 * object.
 */
export class AdmittedCall implements Omit<
  Admitted,
  "run" | "settle" | "refusedByHost" | "observed"
> {
  readonly status = "admitted";
  readonly record: CallRecord;
  readonly attempt: number;
  readonly input: unknown;
  readonly output: unknown;
  readonly repairs: Admitted["repairs"];
  /** What came of it if it has run before and comes again. */
  readonly end: CallEnd | undefined;
  /** What was found of a call that only an observing contract admits. */
  readonly observed: ObservedCall | undefined;
  readonly #result: ValidArguments;

  constructor(
    record: CallRecord,
    attempt: number,
    result: ValidArguments,
    { end, observed }: KnownOfCall = NOTHING,
  ) {
    this.record = record;
    this.end = end;
    this.observed = observed;
    this.attempt = attempt;
    this.input = result.input;
    this.output = result.output;
    this.repairs = result.repairs;
    this.#result = result;
  }

  get checked(): ValidArguments {
    return this.#result;
  }

  get hasRun(): boolean {
    return this.end !== undefined;
  }

  get advisories(): Admitted["advisories"] {
    return this.#result.advisories;
  }

  note(): string {
    const { reportAdvisories, format } = this.record.services.options;
    return reportAdvisories ? formatAdvisories(this.advisories, format) : "";
  }
}

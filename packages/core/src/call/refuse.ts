import type { Blocked, InvalidArguments, Rejected } from "./decision.ts";
import type { Repair } from "../arguments/index.ts";
import { UNKNOWN_TOOL, hashCall, toAttemptErrors } from "../attempts/index.ts";
import {
  type CallInProgress,
  type CallOptions,
  type CallServices,
  type ClosedLane,
  type CountedFailure,
  attemptsIn,
  countFailure,
  countedName,
} from "./progress.ts";
import { createEscalation, formatRejection, writtenFacts } from "../message/index.ts";
import {
  type CallEvent,
  type CodeCounts,
  type ErrorPlace,
  type LoggedFailure,
  escalationEntry,
  rejectionEntry,
  toErrorPlaces,
} from "../observe/index.ts";
import { type Sanitizer, quoteDeclaredName, quoteName } from "../sanitize/index.ts";
import type {
  Lane,
  StageRefusal,
  ToolCall,
  ToolDefinition,
  TypedOutcome,
  Undone,
  ValidationError,
} from "../shared/index.ts";
import { createToolResult } from "./result.ts";

/** Counts a failed attempt and answers it; `hasRun` if the call was recorded as admitted before. */
export async function refuseCall(
  progress: CallInProgress,
  result: InvalidArguments,
  hasRun = false,
): Promise<Rejected | Blocked> {
  const { call, tool, services } = progress;
  const { errors, totalErrors, lane = "validation", refusal } = result;
  const argumentsHash = hashCall(call, tool === undefined);
  const counted = await countFailure(progress, {
    lane,
    argumentsHash,
    errors: toAttemptErrors(errors),
    totalErrors,
    closes: refusal?.action === "stop",
    outcomeOf: (attempt) => outcomeAt(attempt, refusal, tool, services),
  });
  if (refusal?.onCounted) reportCounted(progress, refusal.onCounted, counted.attempt);
  const given = { ...result, ...identityOf(progress), argumentsHash, hasRun, ...counted };
  const { undone } = refusal ?? {};
  return refuse({ ...given, ...(undone !== undefined && { undone }) }, services);
}

/** Lets the stage know that its refusal was counted, and of which call. */
function reportCounted(
  { call, tool, context, services }: CallInProgress,
  onCounted: NonNullable<StageRefusal["onCounted"]>,
  attempt: number,
): void {
  const name = countedName(tool);
  const { conversationId, turnId, runId, knowsRun } = context;
  const known = { call, callId: call.id, conversationId, turnId, attempt };
  const run = {
    ...(runId !== undefined && { runId }),
    ...(knowsRun !== undefined && { knowsRun }),
  };
  const place = { tool: name, ...known, ...run, reports: services.reports };
  services.faults.guard("stage", () => onCounted(place, attempt), name);
}

/** The typed outcome of the attempt that closes a tool; a stage that cannot make it closes the tool without one. */
export function outcomeAt(
  attempt: number,
  refusal: InvalidArguments["refusal"],
  tool: ToolDefinition | undefined,
  { faults }: Pick<CallServices, "faults">,
): TypedOutcome | undefined {
  try {
    return refusal?.outcomeOf?.(attempt);
  } catch (thrown) {
    faults.report("stage", thrown, countedName(tool));
    return undefined;
  }
}

/** Answers a call of a tool that a lane of the stage has closed; nothing is counted. */
export async function refuseClosed(
  progress: CallInProgress,
  errors: readonly ValidationError[],
  closed: ClosedLane,
  hasRun: boolean,
): Promise<Rejected | Blocked> {
  const { call, tool, services } = progress;
  const argumentsHash = hashCall(call, tool === undefined);
  const found = { errors, totalErrors: errors.length, atLeast: false, advisories: [], repairs: [] };
  const given = { ...found, ...identityOf(progress), argumentsHash, hasRun };
  return refuse({ ...given, ...closed }, services);
}

/** Who called what, where. */
function identityOf({
  call,
  tool,
  context,
  startedAt,
}: CallInProgress): Pick<
  Refusal,
  "call" | "tool" | "label" | "conversationId" | "correlationId" | "startedAt"
> {
  const { conversationId, correlationId = conversationId } = context;
  return { call, tool, label: countedName(tool), conversationId, correlationId, startedAt };
}

/** An invalid call and everything its answer needs. */
export interface Refusal extends CountedFailure {
  readonly call: ToolCall;
  readonly tool: ToolDefinition | undefined;
  /** The name under which the call is counted and logged. */
  readonly label: string;
  /** What the failure is counted under; validation if absent. */
  readonly lane?: Lane;
  /** True if the call was recorded as admitted before it was refused. */
  readonly hasRun: boolean;
  readonly undone?: Undone;
  readonly errors: readonly ValidationError[];
  readonly totalErrors: number;
  /** How many errors of each code are not in `errors`. */
  readonly hidden?: CodeCounts;
  readonly atLeast: boolean;
  readonly advisories: readonly ValidationError[];
  readonly argumentsHash: string;
  /** What had to be changed to parse the call's JSON text. */
  readonly repairs: readonly Repair[];
  readonly conversationId: string;
  readonly correlationId: string;
  /** When the decision began; undefined without telemetry. */
  readonly startedAt: number | undefined;
}

/** The services needed for an answer. */
type RefusalServices = Pick<CallServices, "options" | "sanitizer" | "faults" | "record">;

/** Answers an invalid call and records it in the metrics. */
export async function refuse(
  refusal: Refusal,
  services: RefusalServices,
): Promise<Rejected | Blocked> {
  const answer = await answerTo(refusal, services);
  const { label, call, errors, hidden, repairs, hasRun, lane = "validation" } = refusal;
  const { conversationId, startedAt } = refusal;
  const { attempt, maxAttempts } = answer;
  services.record({
    toolName: label,
    toolCallId: call.id,
    outcome: answer.status,
    lane,
    codes: errors.map(({ errorCode }) => errorCode),
    ...(hidden && { hidden }),
    repaired: repairs.length > 0,
    hasRun,
    paths: placesOf(errors).map(({ path }) => path),
    attempt,
    maxAttempts,
    escalated: answer.status === "blocked" && !refusal.announced,
    conversationId,
    ...(startedAt !== undefined && { startedAt }),
  });
  return answer;
}

/** Rejects the call while attempts are left; escalates when they are spent. */
async function answerTo(refusal: Refusal, services: RefusalServices): Promise<Rejected | Blocked> {
  const { call, attempt, errors, totalErrors, advisories, argumentsHash } = refusal;
  const { lane = "validation", outcome, closed } = refusal;
  const maxAttempts = attemptsIn(lane, services.options);
  const status = closed ? ("blocked" as const) : ("rejected" as const);
  const content = await writeMessage(refusal, status, services);
  const ended = { lane, ...(status === "blocked" && outcome && { outcome }) };
  const parts = { content, status, errors, attempt, maxAttempts, argumentsHash, advisories };
  const more = totalErrors > errors.length && { totalErrors };
  const named = { id: call.id, name: calledName(refusal) };
  const result = createToolResult(named, { ...parts, ...ended, ...more });
  const answer = { ...ended, result, errors, attempt, maxAttempts };
  if (status === "blocked") {
    const { settled } = refusal;
    return { status, settled, ...answer, escalation: escalate(refusal, services) };
  }
  announceRejection(refusal, services);
  return { status, ...answer };
}

async function writeMessage(
  refusal: Refusal,
  status: "rejected" | "blocked",
  services: RefusalServices,
): Promise<string> {
  const { options } = services;
  const guidance = await guidanceFor(refusal, services);
  const content = {
    ...refusal,
    toolName: shownName(refusal),
    maxAttempts: attemptsIn(refusal.lane ?? "validation", options),
    status,
    earlier: refusal.settled
      ? refusal.history
      : refusal.history.filter((record) => record.attempt < refusal.attempt),
    unknownTool:
      refusal.tool === undefined || refusal.errors.some(({ errorCode }) => errorCode === "VAL-012"),
    tooLong: refusal.errors.some((error) => writtenFacts(error)?.tooLong === true),
    advisories: options.reportAdvisories ? refusal.advisories : [],
    ...(guidance !== undefined && { guidance }),
  };
  return formatRejection(content, options.format);
}

/** Guidance from the tool's own formatter, else from the contract's formatter for the tool. */
async function guidanceFor(
  refusal: Refusal,
  { options, sanitizer, faults }: RefusalServices,
): Promise<string | undefined> {
  const { tool, errors, attempt } = refusal;
  if (!tool) return undefined;
  const { name } = tool;
  const maxAttempts = attemptsIn(refusal.lane ?? "validation", options);
  const context = { tool: name, attempt, maxAttempts };
  const own = Object.hasOwn(options.formatters, name) ? options.formatters[name] : undefined;
  for (const formatter of [tool.formatter, own]) {
    if (formatter === undefined) continue;
    try {
      const text: unknown = await formatter(errors, context);
      if (typeof text === "string" && text !== "") {
        return sanitizer.text(text, { maxLength: 1_000, lines: true, paths: true });
      }
    } catch (thrown) {
      faults.report("formatter", thrown, name);
    }
  }
  return undefined;
}

function announceRejection(refusal: Refusal, services: RefusalServices): void {
  const logged = loggedFailure(refusal, services.options, services.sanitizer);
  services.faults.log(rejectionEntry(logged));
  emitRejection(refusal, logged, services);
}

function emitRejection(refusal: Refusal, logged: LoggedFailure, { faults }: RefusalServices): void {
  faults.events.emit("call-rejected", () => ({
    ...eventOf(refusal, logged),
    lane: logged.lane,
    attempt: refusal.attempt,
    maxAttempts: logged.maxAttempts,
    errors: logged.errors,
  }));
}

/** What every event of a refused call contains. */
function eventOf({ label, call, conversationId }: Refusal, logged: LoggedFailure): CallEvent {
  return { toolName: label, toolCallId: call.id, conversationId, ...correlation(logged) };
}

/** Builds the escalation. Only the call that spent the last attempt raises it; later ones are reported as rejected. */
function escalate(refusal: Refusal, services: RefusalServices): Blocked["escalation"] {
  const { options, sanitizer, faults } = services;
  const logged = loggedFailure(refusal, options, sanitizer);
  const { call, history, attempt, announced, label, outcome } = refusal;
  const escalation = createEscalation({
    toolCall: { id: call.id, name: calledName(refusal), arguments: call.arguments },
    toolName: shownName(refusal),
    attempts: attempt,
    lane: logged.lane,
    maxAttempts: logged.maxAttempts,
    history,
    ...(outcome && { outcome }),
    ...correlation(logged),
  });
  faults.log(escalationEntry(logged));
  if (announced) {
    emitRejection(refusal, logged, services);
    return escalation;
  }
  faults.events.emit("call-escalated", () => ({ ...eventOf(refusal, logged), escalation }));
  faults.guard("onEscalation", () => options.onEscalation?.(escalation), label);
  return escalation;
}

/** The paths and codes of errors, as logs and events show them. */
export function placesOf(errors: readonly ValidationError[]): readonly ErrorPlace[] {
  return toErrorPlaces(
    errors.map((error) => ({
      fieldPath: writtenFacts(error)?.logPath ?? "*",
      errorCode: error.errorCode,
    })),
  );
}

function loggedFailure(
  refusal: Refusal,
  options: CallOptions,
  sanitizer: Sanitizer,
): LoggedFailure {
  const correlationId = shownCorrelation(refusal.correlationId, sanitizer);
  const { lane = "validation" } = refusal;
  return {
    toolName: refusal.label,
    lane,
    attempt: refusal.attempt,
    maxAttempts: attemptsIn(lane, options),
    errorCount: refusal.totalErrors,
    errors: placesOf(refusal.errors),
    // Without a conversation there is nothing to correlate by.
    ...(correlationId !== "" && { correlationId }),
  };
}

function correlation({ correlationId }: LoggedFailure): Pick<LoggedFailure, "correlationId"> {
  return correlationId === undefined ? {} : { correlationId };
}

/** A call and the name under which it is counted: its own only if the host has such a tool. */
interface Called {
  readonly call: ToolCall;
  readonly label: string;
}

/** The called name; quoted unless the host has such a tool, because the model's own text may hold a secret. */
function calledName({ call, label }: Called): string {
  return call.name === label ? call.name : quoteName(call.name);
}

/** The called name as messages show it. */
export function shownName({ call, label }: Called): string {
  const name = call.name === label ? quoteDeclaredName(call.name) : quoteName(call.name);
  return name.trim() || UNKNOWN_TOOL;
}

const MAX_LENGTH = 128;

/** A host's correlation id for logs and events: masked, cut and escaped. */
export function shownCorrelation(correlationId: string, sanitizer: Sanitizer): string {
  return sanitizer.text(correlationId, { maxLength: MAX_LENGTH });
}

import { type CountedFailure, hashCall, toAttemptErrors } from "../attempts/index.ts";
import { type Escalation, createEscalation, formatRejection } from "../message/index.ts";
import { writtenFacts } from "@toolcontract/explain/adapter";
import {
  type LoggedFailure,
  escalationEntry,
  rejectionEntry,
  toErrorPlaces,
} from "../observe/index.ts";
import type { Blocked, InvalidArguments, Rejected } from "./decision.ts";
import { type CallRecord, keptName, shownName } from "./record.ts";
import { createToolResult } from "./result.ts";
import { outcomeAt, tellCounted } from "./stage.ts";

/** How a call came to be refused. */
interface Refusing {
  /** The lane that was closed before; the call is then not counted. */
  readonly closed?: CountedFailure | undefined;
  /** True if the call was recorded as admitted before. */
  readonly hasRun?: boolean;
}

/** Counts a failed attempt and answers it. */
export async function refuseCall(
  record: CallRecord,
  found: InvalidArguments,
  { closed, hasRun = false }: Refusing = {},
): Promise<Rejected | Blocked> {
  const { call, tool, tally } = record;
  const { errors, totalErrors, lane = "validation", refusal } = found;
  const argumentsHash = hashCall(call, tool === undefined);
  if (closed) return answer({ record, found, counted: closed, argumentsHash, hasRun });
  const counted = await tally.failed({
    lane,
    argumentsHash,
    errors: toAttemptErrors(errors),
    totalErrors,
    closes: refusal?.action === "stop",
    outcomeOf: refusal && ((attempt) => outcomeAt(attempt, refusal, record)),
  });
  if (refusal) tellCounted(record, refusal, counted.attempt);
  return answer({ record, found, counted, argumentsHash, hasRun });
}

/** A refused call and everything its answer needs. */
interface Refusal {
  readonly record: CallRecord;
  readonly found: InvalidArguments;
  readonly counted: CountedFailure;
  readonly argumentsHash: string;
  /** True if the call was recorded as admitted before it was refused. */
  readonly hasRun: boolean;
}

/** Rejects the call while attempts are left; escalates when they are spent. */
async function answer(refusal: Refusal): Promise<Rejected | Blocked> {
  const { record, found, counted, argumentsHash } = refusal;
  const { errors, totalErrors, advisories } = found;
  const { lane, attempt, maxAttempts, closed, settled, outcome } = counted;
  const status = closed ? "blocked" : "rejected";
  const content = await writeMessage(refusal);
  const ended = { lane, ...(closed && outcome && { outcome }) };
  const parts = {
    content,
    status,
    errors,
    attempt,
    maxAttempts,
    argumentsHash,
    advisories,
  } as const;
  const more = totalErrors > errors.length && { totalErrors };
  const named = { id: record.call.id, name: keptName(record) };
  const result = createToolResult(named, { ...parts, ...ended, ...more });
  const answered = { ...ended, result, errors, attempt, maxAttempts };
  const logged = loggedFailure(refusal);
  const escalation = closed ? escalate(refusal, logged) : undefined;
  if (!escalation) announceRejection(refusal, logged);
  count(refusal, logged);
  return escalation
    ? { status: "blocked", settled, ...answered, escalation }
    : { status: "rejected", ...answered };
}

/** Counts the refused call in the metrics. */
function count({ record, found, counted, hasRun }: Refusal, logged: LoggedFailure): void {
  const { name, call, context, startedAt, services } = record;
  const { lane, attempt, maxAttempts, closed, announced } = counted;
  services.record({
    toolName: name,
    toolCallId: call.id,
    outcome: closed ? "blocked" : "rejected",
    lane,
    codes: found.errors.map(({ errorCode }) => errorCode),
    ...(found.hidden && { hidden: found.hidden }),
    repaired: found.repairs.length > 0,
    hasRun,
    paths: logged.errors.map(({ path }) => path),
    attempt,
    maxAttempts,
    escalated: closed && !announced,
    conversationId: context.conversationId,
    ...(startedAt !== undefined && { startedAt }),
  });
}

async function writeMessage(refusal: Refusal): Promise<string> {
  const { record, found, counted } = refusal;
  const { history, attempt, settled, closed } = counted;
  const { errors, advisories } = found;
  const { options } = record.services;
  const undone = found.refusal?.undone;
  const guidance = await guidanceFor(refusal);
  const content = {
    ...found,
    ...counted,
    toolName: shownName(record),
    status: closed ? ("blocked" as const) : ("rejected" as const),
    earlier: settled ? history : history.filter((earlier) => earlier.attempt < attempt),
    unknownTool:
      record.tool === undefined || errors.some(({ errorCode }) => errorCode === "VAL-012"),
    tooLong: errors.some((error) => writtenFacts(error)?.tooLong === true),
    advisories: options.reportAdvisories ? advisories : [],
    ...(undone !== undefined && { undone }),
    ...(guidance !== undefined && { guidance }),
  };
  return formatRejection(content, options.format);
}

/** Guidance from the tool's own formatter, else from the contract's formatter for the tool. */
async function guidanceFor({ record, found, counted }: Refusal): Promise<string | undefined> {
  const { tool, services } = record;
  if (!tool) return undefined;
  const { options, sanitizer, faults } = services;
  const { name } = tool;
  const { attempt, maxAttempts } = counted;
  const context = { tool: name, attempt, maxAttempts };
  const own = Object.hasOwn(options.formatters, name) ? options.formatters[name] : undefined;
  for (const formatter of [tool.formatter, own]) {
    if (formatter === undefined) continue;
    try {
      const text: unknown = await formatter(found.errors, context);
      if (typeof text === "string" && text !== "") {
        return sanitizer.text(text, { maxLength: 1_000, lines: true, paths: true });
      }
    } catch (thrown) {
      faults.report("formatter", thrown, name);
    }
  }
  return undefined;
}

function announceRejection(refusal: Refusal, logged: LoggedFailure): void {
  refusal.record.services.faults.log(rejectionEntry(logged));
  emitRejection(refusal, logged);
}

function emitRejection({ record }: Refusal, logged: LoggedFailure): void {
  const { lane, attempt, maxAttempts, errors } = logged;
  record.services.faults.events.emit("call-rejected", () => ({
    ...record.identity(),
    lane,
    attempt,
    maxAttempts,
    errors,
  }));
}

/** Builds the escalation. Only the call that spent the last attempt raises it; later ones are reported as rejected. */
function escalate(refusal: Refusal, logged: LoggedFailure): Escalation {
  const { record, counted } = refusal;
  const { call, name, services } = record;
  const { options, faults } = services;
  const { lane, attempt, maxAttempts, history, announced, outcome } = counted;
  const { correlationId } = logged;
  const escalation = createEscalation({
    toolCall: { id: call.id, name: keptName(record), arguments: call.arguments },
    toolName: shownName(record),
    attempts: attempt,
    lane,
    maxAttempts,
    history,
    ...(outcome && { outcome }),
    ...(correlationId !== undefined && { correlationId }),
  });
  faults.log(escalationEntry(logged));
  if (announced) {
    emitRejection(refusal, logged);
    return escalation;
  }
  faults.events.emit("call-escalated", () => ({ ...record.identity(), escalation }));
  faults.guard("onEscalation", () => options.onEscalation?.(escalation), name);
  return escalation;
}

function loggedFailure({ record, found, counted }: Refusal): LoggedFailure {
  const { correlationId } = record.identity();
  const { lane, attempt, maxAttempts } = counted;
  return {
    toolName: record.name,
    lane,
    attempt,
    maxAttempts,
    errorCount: found.totalErrors,
    errors: toErrorPlaces(found.errors),
    ...(correlationId !== undefined && { correlationId }),
  };
}

import type { AskRequest } from "../shared/index.ts";
import { type CountedFailure, UNKNOWN_TOOL, hashCall, toAttemptErrors } from "../attempts/index.ts";
import {
  type Escalation,
  type RejectionContent,
  createEscalation,
  formatRejection,
  isOnlyQuoted,
} from "../message/index.ts";
import { quoteDeclaredName, quoteName, writtenFacts } from "@toolcontract/explain/adapter";
import type { Asked, InvalidArguments, Refused, Rejected } from "./decision.ts";
import type { CallRecord } from "./record.ts";
import { askedResult, createToolResult, unableResult } from "./result.ts";
import { feedbackOn, outcomeAt, tellCounted } from "./stage.ts";

/** How a call came to be refused. */
export interface Refusing {
  /** The lane that was closed before; the call is then not counted. */
  readonly closed?: CountedFailure | undefined;
  /** True if the call was reported as admitted before. */
  readonly hasRun?: boolean;
}

/** Counts a failed attempt and answers it. */
export async function refuseCall(
  record: CallRecord,
  found: InvalidArguments,
  { closed, hasRun = false }: Refusing = {},
): Promise<Refused> {
  const { call, tool, tally } = record;
  const { errors, totalErrors, lane = "validation", refusal } = found;
  if (refusal?.request) return askedAnswer(record, errors, refusal.request, hasRun);
  if (refusal?.action === "skip") return unableAnswer(record, errors);
  const argumentsHash = hashCall(call, tool === undefined);
  const counted =
    closed ??
    (await tally.failed({
      lane,
      argumentsHash,
      errors: toAttemptErrors(errors),
      totalErrors,
      closes: refusal?.action === "stop",
      ...(record.context.mayBeQuoted === true && areOnlyQuoted(found) && { keepsOpen: true }),
      outcomeOf: refusal && ((attempt) => outcomeAt(attempt, refusal, record)),
    }));
  if (refusal && !closed) tellCounted(record, refusal, counted.attempt);
  return answerRefused({ record, found, counted, argumentsHash, hasRun });
}

/** Whether nothing is wrong but the quotes around numbers and booleans. */
function areOnlyQuoted({ errors, totalErrors }: InvalidArguments): boolean {
  return errors.length === totalErrors && errors.every(isOnlyQuoted);
}

/** Answers a call that waits for a person: it counts as no attempt. */
function askedAnswer(
  record: CallRecord,
  errors: InvalidArguments["errors"],
  request: AskRequest,
  hasRun: boolean,
): Asked {
  const { call, reported, services } = record;
  services.reporter.report({
    kind: "asked",
    call: reported,
    isObserved: services.options.mode === "observe",
    hasRun,
  });
  const { id, wire } = call;
  const named = { id, name: keptName(record), ...(wire && { wire }) };
  const reasons = errors.map(({ message }) => message);
  const result = askedResult(named, shownName(record), reasons);
  const { maxAttempts } = services.options;
  return { status: "ask", result, request, errors: [], attempt: 0, maxAttempts };
}

/** Answers a call for which the host has not passed what it needs: it counts as no attempt, and closes nothing. */
function unableAnswer(record: CallRecord, errors: InvalidArguments["errors"]): Rejected {
  const { call, name, services } = record;
  const { id, wire } = call;
  const fields = { level: "warn", package: "core", tool_name: name } as const;
  services.reporter.report({ kind: "noted", fields, message: UNABLE });
  const named = { id, name: keptName(record), ...(wire && { wire }) };
  const result = unableResult(named, shownName(record), errors);
  return {
    status: "rejected",
    result,
    errors,
    attempt: 0,
    maxAttempts: services.options.maxAttempts,
  };
}

const UNABLE = "A call was refused because the host has not passed what it needs";

/** A refused call and everything its answer needs. */
interface RefusedCall {
  readonly record: CallRecord;
  readonly found: InvalidArguments;
  readonly counted: CountedFailure;
  readonly argumentsHash: string;
  /** True if the call was reported as admitted before it was refused. */
  readonly hasRun: boolean;
}

/** Rejects the call while attempts are left; escalates when they are spent. */
async function answerRefused(refusal: RefusedCall): Promise<Refused> {
  const { record, found, counted, argumentsHash } = refusal;
  const { errors, totalErrors, advisories } = found;
  const { lane, attempt, maxAttempts, closed, settled, outcome } = counted;
  const status = closed ? "blocked" : "rejected";
  const content = await writeMessage(refusal);
  const escalation = closed ? escalate(refusal) : undefined;
  reportRefusal(refusal, escalation);
  const ended = { lane, ...(closed && outcome && { outcome }) };
  const feedback = found.refusal && feedbackOn(counted, found.refusal, record);
  const more = totalErrors > errors.length && { totalErrors };
  const counts = { errors, attempt, maxAttempts };
  const told = feedback && { feedback };
  const parts = { content, status, ...counts, advisories, ...ended, ...more, ...told } as const;
  const { id, wire } = record.call;
  const named = { id, name: keptName(record), ...(wire && { wire }) };
  const result = createToolResult(named, parts, argumentsHash);
  const answered = { ...ended, result, ...counts };
  return escalation
    ? { status: "blocked", settled, ...answered, escalation }
    : { status: "rejected", ...answered };
}

/** Only the call that spent the last attempt reports the escalation. */
function reportRefusal(
  { record, found, counted, hasRun }: RefusedCall,
  escalation: Escalation | undefined,
): void {
  const { lane, attempt, maxAttempts, closed, announced } = counted;
  const { errors, totalErrors, hidden, repairs } = found;
  record.services.reporter.report({
    kind: "refused",
    call: record.reported,
    status: closed ? "blocked" : "rejected",
    lane,
    attempt,
    maxAttempts,
    errors,
    totalErrors,
    hidden,
    isRepaired: repairs.length > 0,
    hasRun,
    isObserved: record.services.options.mode === "observe",
    escalation: announced ? undefined : escalation,
  });
}

async function writeMessage(refusal: RefusedCall): Promise<string> {
  const { record, found, counted } = refusal;
  const { history, lane, attempt, maxAttempts, settled, closed, repeats } = counted;
  const { errors, totalErrors, atLeast, advisories } = found;
  const { options } = record.services;
  const guidance = await guidanceFor(refusal);
  const content: RejectionContent = {
    lane,
    toolName: shownName(record),
    attempt,
    maxAttempts,
    status: closed ? "blocked" : "rejected",
    settled,
    errors,
    totalErrors,
    atLeast,
    guidance,
    undone: found.refusal?.undone,
    repeats,
    earlier: settled ? history : history.filter((earlier) => earlier.attempt < attempt),
    advisories: options.reportAdvisories ? advisories : [],
    unknownTool:
      record.tool === undefined || errors.some(({ errorCode }) => errorCode === "VAL-012"),
    isUnavailable: record.tool === undefined && record.context.unavailable !== undefined,
    isText: record.call.text !== undefined,
    isAnswer: record.isAnswer === true,
    tooLong: errors.some((error) => writtenFacts(error)?.tooLong === true),
  };
  return formatRejection(content, options.format);
}

/** Guidance from the tool's own formatter, else from the contract's formatter for the tool. */
async function guidanceFor({ record, found, counted }: RefusedCall): Promise<string | undefined> {
  const { tool, services } = record;
  if (!tool) return undefined;
  const { options, sanitizer, reporter } = services;
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
      reporter.fault("formatter", thrown, name);
    }
  }
  return undefined;
}

/** Builds the escalation of a spent tool. */
function escalate({ record, counted }: RefusedCall): Escalation {
  const { isAnswer } = record;
  const { lane, attempt, maxAttempts, history, outcome } = counted;
  const { id, arguments: sent } = record.call;
  const { correlationId } = record.reported.identity();
  return createEscalation({
    toolCall: { id, name: keptName(record), arguments: sent },
    toolName: shownName(record),
    attempts: attempt,
    lane,
    ...(isAnswer && { isAnswer }),
    maxAttempts,
    history,
    ...(outcome && { outcome }),
    ...(correlationId !== undefined && { correlationId }),
  });
}

/** The called name as results keep it: quoted if the model invented it, because it may hold a secret. */
export function keptName({ call, name }: CallRecord): string {
  return call.name === name ? name : quoteName(call.name);
}

/** The called name as messages show it. */
export function shownName({ call, name }: CallRecord): string {
  const shown = call.name === name ? quoteDeclaredName(name) : quoteName(call.name);
  return shown.trim() || UNKNOWN_TOOL;
}

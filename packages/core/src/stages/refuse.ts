import type { Blocked, Rejected } from "../admission.ts";
import type { CountedFailure } from "./attempts-of-call.ts";
import { calledName, shownName } from "./called-name.ts";
import { createEscalation } from "../escalation.ts";
import { logPathOf } from "./log-path.ts";
import { formatRejection } from "../message/format-rejection.ts";
import { escalationEntry, type LoggedFailure, rejectionEntry } from "../observe/log-entry.ts";
import { type ErrorPlace, toErrorPlaces } from "../observe/error-place.ts";
import type { CallOptions } from "./call-services.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ToolDefinition } from "../tool-definition.ts";
import { createToolResult } from "../tool-result.ts";
import type { ValidationError } from "../validation-error.ts";
import type { CallServices } from "./call-services.ts";
import { shownCorrelation } from "./shown-correlation.ts";

/** An invalid call and everything that its answer tells. */
export interface Refusal extends CountedFailure {
  readonly call: ToolCall;
  readonly tool: ToolDefinition | undefined;
  /** The name under which the call is counted and logged. */
  readonly label: string;
  readonly errors: readonly ValidationError[];
  readonly totalErrors: number;
  readonly atLeast: boolean;
  readonly advisories: readonly ValidationError[];
  readonly argumentsHash: string;
  /** Whether the call's JSON text had to be repaired. */
  readonly repaired: boolean;
  readonly conversationId: string;
  readonly correlationId: string;
}

/** What answering needs of the contract. */
type RefusalServices = Pick<CallServices, "options" | "sanitizer" | "faults" | "record">;

/** Answers an invalid call and counts the answer in the metrics. */
export async function refuse(
  refusal: Refusal,
  services: RefusalServices,
): Promise<Rejected | Blocked> {
  const answer = await answerTo(refusal, services);
  services.record({
    toolName: refusal.label,
    toolCallId: refusal.call.id,
    outcome: answer.status,
    codes: refusal.errors.map((error) => error.errorCode),
    repaired: refusal.repaired,
  });
  return answer;
}

/** A rejection while attempts are left, an escalation when they are spent. */
async function answerTo(refusal: Refusal, services: RefusalServices): Promise<Rejected | Blocked> {
  const { call, attempt, errors, advisories, argumentsHash } = refusal;
  const { maxAttempts } = services.options;
  const status = attempt >= maxAttempts ? ("blocked" as const) : ("rejected" as const);
  const content = await writeMessage(refusal, status, services);
  const parts = { content, status, errors, attempt, maxAttempts, argumentsHash, advisories };
  const named = { id: call.id, name: calledName(refusal) };
  const answer = { result: createToolResult(named, parts), errors, attempt, maxAttempts };
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
    maxAttempts: options.maxAttempts,
    status,
    earlier: refusal.settled
      ? refusal.history
      : refusal.history.filter((record) => record.attempt < refusal.attempt),
    unknownTool: refusal.tool === undefined,
    advisories: options.reportAdvisories ? refusal.advisories : [],
    ...(guidance !== undefined && { guidance }),
  };
  return formatRejection(content, options.format);
}

/** The tool's own formatter is asked first, then the contract's for it. */
async function guidanceFor(
  refusal: Refusal,
  { options, sanitizer, faults }: RefusalServices,
): Promise<string | undefined> {
  const { tool, errors, attempt } = refusal;
  if (!tool) return undefined;
  const { name } = tool;
  const context = { tool: name, attempt, maxAttempts: options.maxAttempts };
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

function emitRejection(
  refusal: Refusal,
  logged: LoggedFailure,
  { options, faults }: RefusalServices,
): void {
  const { conversationId, call, attempt, label } = refusal;
  faults.events.emit("call-rejected", () => ({
    toolName: label,
    toolCallId: call.id,
    conversationId,
    ...correlation(logged),
    attempt,
    maxAttempts: options.maxAttempts,
    errors: logged.errors,
  }));
}

/** Builds the escalation; the call that spent the last attempt raises it, later ones are told as rejected. */
function escalate(refusal: Refusal, services: RefusalServices): Blocked["escalation"] {
  const { options, sanitizer, faults } = services;
  const logged = loggedFailure(refusal, options, sanitizer);
  const { call, conversationId, history, attempt, announced, label } = refusal;
  const escalation = createEscalation({
    toolCall: { id: call.id, name: calledName(refusal), arguments: call.arguments },
    toolName: shownName(refusal),
    attempts: attempt,
    maxAttempts: options.maxAttempts,
    history,
    ...correlation(logged),
  });
  faults.log(escalationEntry(logged));
  if (announced) {
    emitRejection(refusal, logged, services);
    return escalation;
  }
  faults.events.emit("call-escalated", () => ({
    toolName: label,
    toolCallId: call.id,
    conversationId,
    ...correlation(logged),
    escalation,
  }));
  faults.guard("onEscalation", () => options.onEscalation?.(escalation), label);
  return escalation;
}

/** Where errors are and which, as logs and events may tell it. */
export function placesOf(errors: readonly ValidationError[]): readonly ErrorPlace[] {
  return toErrorPlaces(
    errors.map((error) => ({ fieldPath: logPathOf(error), errorCode: error.errorCode })),
  );
}

function loggedFailure(
  refusal: Refusal,
  options: CallOptions,
  sanitizer: Sanitizer,
): LoggedFailure {
  const correlationId = shownCorrelation(refusal.correlationId, sanitizer);
  return {
    toolName: refusal.label,
    attempt: refusal.attempt,
    maxAttempts: options.maxAttempts,
    errorCount: refusal.totalErrors,
    errors: placesOf(refusal.errors),
    // A host that names no conversation has nothing to correlate by.
    ...(correlationId !== "" && { correlationId }),
  };
}

function correlation({ correlationId }: LoggedFailure): Pick<LoggedFailure, "correlationId"> {
  return correlationId === undefined ? {} : { correlationId };
}

import type { AttemptRecord, Lane, ToolCall, TypedOutcome } from "../shared/index.ts";
import { createRecentMap, FORMAT_VERSION, isMarked, oneLine } from "@toolcontract/explain/adapter";
import { formatAttempts } from "./frame.ts";

const MARKER = Symbol.for("toolcontract.escalation");
const MAX_NAME = 64;
const UNABLE_TO_ANSWER = "The model was unable to provide a valid answer.";
const UNABLE: Readonly<Record<Lane, string>> = {
  generation: "The model produced nothing that could be run.",
  validation: "The model was unable to provide valid arguments.",
  guardrail: "The model was unable to make a call that the guardrails allow.",
  outcome: "The model was unable to make a call that succeeds.",
};

/** The outcome when a tool's attempts are spent: what a person or an outer system needs to take over. */
export interface Escalation {
  /** The tool must not be called again before someone intervenes. */
  readonly status: "blocked";
  /** The version of the message format. */
  readonly formatVersion: string;
  /** The lane whose attempts are spent. */
  readonly lane: Lane;
  /** How the sequence of attempts ended, if its lane ends in a typed outcome. */
  readonly outcome?: TypedOutcome;
  readonly toolName: string;
  readonly toolCallId: string;
  /** How many attempts failed. */
  readonly attempts: number;
  /** How many attempts the tool had. */
  readonly maxAttempts: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
  /** A summary for a person. */
  readonly summary: string;
  /** The host's id for its logs, if it passed one. */
  readonly correlationId?: string;
  /**
   * The call that spent the last attempt.
   *
   * @remarks Its raw `arguments` may contain secrets, so they are not enumerable: read them by name. Logging,
   * copying and serializing leave them out.
   */
  readonly toolCall: ToolCall;
  /** Returns the escalation without arguments and without their hashes. */
  toJSON(): SerializedEscalation;
}

/** An escalation as JSON, safe to store and to send. */
export interface SerializedEscalation extends Omit<Escalation, "toJSON" | "toolCall" | "history"> {
  /** The call that spent the last attempt, without its arguments. */
  readonly toolCall: Omit<ToolCall, "arguments">;
  /** The failed attempts, oldest first, without hashes. */
  readonly history: readonly Omit<AttemptRecord, "argumentsHash" | "siblingHashes">[];
}

/** The parts of an escalation. */
export interface EscalationParts extends Pick<
  Escalation,
  "toolName" | "attempts" | "maxAttempts" | "history" | "correlationId" | "outcome"
> {
  readonly toolCall: ToolCall;
  /** True for the final answer. */
  readonly isAnswer?: boolean;
  /**
   * The lane whose attempts are spent.
   *
   * @default "validation"
   */
  readonly lane?: Lane;
}

/** Creates the escalation of a tool whose attempts are spent. */
export function createEscalation(parts: EscalationParts): Escalation {
  const { toolCall, toolName, attempts, history, lane = "validation", outcome } = parts;
  const shared = {
    status: "blocked" as const,
    formatVersion: FORMAT_VERSION,
    lane,
    ...(outcome && { outcome }),
    toolName,
    toolCallId: toolCall.id,
    attempts,
    maxAttempts: parts.maxAttempts,
    summary: formatEscalationSummary(toolName, history, attempts, lane, parts.isAnswer),
    ...(parts.correlationId !== undefined && { correlationId: parts.correlationId }),
  };
  const toJSON = (): SerializedEscalation => ({
    ...shared,
    history: history.map(({ attempt, errors, totalErrors, collapsed }) => ({
      attempt,
      errors,
      ...(totalErrors !== undefined && { totalErrors }),
      ...(collapsed !== undefined && { collapsed }),
    })),
    toolCall: { id: toolCall.id, name: oneLine(toolCall.name, MAX_NAME) },
  });
  noteGivenUp(shared.summary, [{ ...shared, history }]);
  const escalation = { ...shared, history, toolCall: hideArguments(toolCall) };
  return Object.defineProperty(escalation, "toJSON", { value: toJSON }) as Escalation;
}

/** Summarizes for a person how a tool's attempts failed. */
export function formatEscalationSummary(
  toolName: string,
  history: readonly AttemptRecord[],
  attempts: number,
  lane: Lane = "validation",
  isAnswer: boolean = false,
): string {
  const subject = isAnswer ? "The answer:" : `Tool '${oneLine(toolName, MAX_NAME)}'`;
  return sections(
    formatSpent(subject, attempts, lane),
    formatAttempts(history).join("\n"),
    `${isAnswer ? UNABLE_TO_ANSWER : UNABLE[lane]} Please intervene or provide guidance.`,
  );
}

/** What is remembered of an escalation: no arguments. */
type GivenUp = Pick<Escalation, "toolName" | "attempts" | "lane" | "history">;

const MAX_SUMMARIES = 1_000;
const summaries = /* @__PURE__ */ createRecentMap<string, readonly GivenUp[]>(MAX_SUMMARIES);

/** Remembers the text for a person with which a run may end: the caller of an agent that runs in a tool gets nothing else of it. */
export function noteGivenUp(text: string, escalations: readonly GivenUp[]): void {
  const kept = escalations.map(({ toolName, attempts, lane, history }) => {
    return { toolName, attempts, lane, history: history.map(withoutHashes) };
  });
  summaries.set(text, kept);
}

function withoutHashes(record: AttemptRecord): AttemptRecord {
  return { ...record, argumentsHash: "" };
}

/**
 * What a model reads of a tool whose result is the text for a person of an agent that gave up; undefined for any other result. A model
 * cannot intervene, but ask for something else.
 */
export function failureOfAgent(toolName: string, result: unknown): string | undefined {
  const escalations = typeof result === "string" ? summaries.get(result) : undefined;
  const why = escalations?.flatMap((one) => [
    formatSpent(`Its tool '${oneLine(one.toolName, MAX_NAME)}':`, one.attempts, one.lane),
    formatAttempts(one.history).join("\n"),
  ]);
  return (
    why && sections(`Tool '${oneLine(toolName, MAX_NAME)}' failed: its agent gave up.`, ...why)
  );
}

function formatSpent(subject: string, attempts: number, lane: Lane): string {
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return `${subject} ${lane} failed after ${count}.`;
}

function sections(...all: readonly string[]): string {
  return all.filter((section) => section !== "").join("\n\n");
}

function hideArguments(call: ToolCall): ToolCall {
  const shown = { id: call.id, name: call.name };
  // A getter, because inspectors print hidden values but do not call getters.
  return Object.defineProperty(shown, "arguments", { get: () => call.arguments }) as ToolCall;
}

/**
 * Carries an escalation to hosts that stop a run by throwing.
 *
 * @example
 * ```ts
 * if (error instanceof EscalationError) console.log(error.escalation); // the history, for a person
 * ```
 */
export class EscalationError extends Error {
  override readonly name: string = "EscalationError";
  /** The format version of the library that threw. */
  readonly formatVersion: string = FORMAT_VERSION;
  readonly escalation: Escalation;

  constructor(escalation: Escalation, options?: ErrorOptions) {
    const { toolName, attempts } = escalation;
    super(`Tool '${oneLine(toolName, MAX_NAME)}' is blocked after attempt ${attempts}`, options);
    this.escalation = escalation;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Recognizes the error across duplicated installs, where `instanceof` would not. */
  static isInstance(value: unknown): value is EscalationError {
    return isMarked(value, MARKER);
  }
}

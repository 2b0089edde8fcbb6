import {
  type AttemptRecord,
  FORMAT_VERSION,
  type ToolCall,
  type ValidationError,
} from "../shared/index.ts";
import { clip, oneLine } from "../sanitize/index.ts";
import { formatAttempts } from "./frame.ts";
import { isOutOfRange, readLengthBreach } from "./derive-message.ts";
import { readPreviewType } from "./preview-text.ts";

/** The answer when a tool's attempts are spent: what a person or an outer system needs to take over. */
export interface Escalation {
  /** The tool is not to be called again before someone intervened. */
  readonly status: "blocked";
  /** The version of the message format. */
  readonly formatVersion: string;
  readonly toolName: string;
  readonly toolCallId: string;
  /** How many attempts failed. */
  readonly attempts: number;
  /** How many attempts the tool had. */
  readonly maxAttempts: number;
  /** The failed attempts, oldest first. */
  readonly history: readonly AttemptRecord[];
  /** What happened, for a person. */
  readonly summary: string;
  /** The host's id for its logs, if it passed one. */
  readonly correlationId?: string;
  /**
   * The call that spent the last attempt.
   *
   * @remarks Its raw `arguments` may hold secrets, so they are not enumerable: read them by name. Logging,
   * copying and serialising leave them behind.
   */
  readonly toolCall: ToolCall;
  /** The escalation without arguments and without their hashes. */
  toJSON(): SerializedEscalation;
}

/** An escalation as JSON, safe to store and to send on. */
export interface SerializedEscalation extends Omit<Escalation, "toJSON" | "toolCall" | "history"> {
  /** The call that spent the last attempt, without its arguments. */
  readonly toolCall: Omit<ToolCall, "arguments">;
  /** The failed attempts, oldest first, without hashes. */
  readonly history: readonly Omit<AttemptRecord, "argumentsHash" | "siblingHashes">[];
}

/** What an escalation is made of. */
export interface EscalationParts extends Pick<
  Escalation,
  "toolName" | "attempts" | "maxAttempts" | "history" | "correlationId"
> {
  readonly toolCall: ToolCall;
}

/** Builds the escalation of a tool whose attempts are spent. */
export function createEscalation(parts: EscalationParts): Escalation {
  const { toolCall, toolName, attempts, history } = parts;
  const shared = {
    status: "blocked" as const,
    formatVersion: FORMAT_VERSION,
    toolName,
    toolCallId: toolCall.id,
    attempts,
    maxAttempts: parts.maxAttempts,
    summary: formatEscalationSummary(toolName, history, attempts),
    ...(parts.correlationId !== undefined && { correlationId: parts.correlationId }),
  };
  const toJSON = (): SerializedEscalation => ({
    ...shared,
    history: history.map(({ attempt, errors, collapsed }) => ({
      attempt,
      errors,
      ...(collapsed !== undefined && { collapsed }),
    })),
    toolCall: { id: toolCall.id, name: oneLine(toolCall.name, 64) },
  });
  const escalation = { ...shared, history, toolCall: hideArguments(toolCall) };
  return Object.defineProperty(escalation, "toJSON", { value: toJSON }) as Escalation;
}

function hideArguments(call: ToolCall): ToolCall {
  const shown = { id: call.id, name: call.name };
  // A getter, because inspectors print hidden values but do not run getters.
  return Object.defineProperty(shown, "arguments", { get: () => call.arguments }) as ToolCall;
}

const MARKER = Symbol.for("toolcontract.escalation");

/** Carries an escalation to hosts that stop a run by throwing. */
export class EscalationError extends Error {
  override readonly name: string = "EscalationError";
  /** The format version of the library that threw. */
  readonly formatVersion: string = FORMAT_VERSION;
  readonly escalation: Escalation;

  constructor(escalation: Escalation, options?: ErrorOptions) {
    const { toolName, attempts } = escalation;
    super(`Tool '${oneLine(toolName, 64)}' is blocked after attempt ${attempts}`, options);
    this.escalation = escalation;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Recognises the error across duplicated installs, where `instanceof` would not. */
  static isInstance(value: unknown): value is EscalationError {
    return typeof value === "object" && value !== null && MARKER in value;
  }
}

const MAX_NAME = 64;
const MAX_PLACE = 40;
const MAX_SUMMARY = 80;

/** Tells a person how a tool's attempts failed. */
export function formatEscalationSummary(
  toolName: string,
  history: readonly AttemptRecord[],
  attempts: number,
): string {
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return [
    `Tool '${oneLine(toolName, MAX_NAME)}' validation failed after ${count}.`,
    formatAttempts(history).join("\n"),
    "The model was unable to provide valid arguments. Please intervene or provide guidance.",
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

/** Says in a few words and without any argument value what was wrong: `Missing required field 'path'`. */
export function summarizeError(error: ValidationError): string {
  const place = toPlace(error.fieldPath);
  switch (error.errorCode) {
    case "VAL-001":
      return `Missing required field ${place}`;
    case "VAL-002":
      return `Type mismatch on ${place}${note("got", readPreviewType(error.actualValue))}`;
    case "VAL-003":
      return `${isOutOfRange(error) ? "Value out of range" : "Constraint violated"} for ${place}`;
    case "VAL-004":
      return "Invalid JSON";
    case "VAL-005":
      return `Unknown field ${place}`;
    case "VAL-006":
      return summarizeLength(error, "Array", place);
    case "VAL-007":
      return `Pattern mismatch on ${place}`;
    case "VAL-008":
      return `Invalid enum value for ${place}`;
    case "VAL-009":
      return summarizeLength(error, "String", place);
    case "VAL-010":
      return `Invalid format for ${place}`;
    case "VAL-011":
      return "Arguments cut off";
    case "VAL-012":
      return oneLine(error.message, MAX_SUMMARY);
    case "VAL-013":
      return `No variant matches ${place}`;
    case "VAL-014":
      return `Conflicting fields at ${place}`;
    case "VAL-015":
      return `Duplicate items in ${place}`;
    case "VAL-016":
    default:
      // A host in JavaScript may pass on more than the type allows.
      return `Rule failed for ${place}`;
  }
}

function summarizeLength(error: ValidationError, what: "Array" | "String", place: string): string {
  const breach = readLengthBreach(error);
  if (breach === undefined) return `Invalid ${what.toLowerCase()} length for ${place}`;
  const isMaximum = breach.kind === "maximum";
  return `${what} too ${isMaximum ? "long" : "short"} for ${place}${note(isMaximum ? "max" : "min", breach.limit)}`;
}

function note(label: string, value: string | number | undefined): string {
  return value === undefined ? "" : ` (${label}: ${value})`;
}

function toPlace(pointer: string): string {
  return pointer === "" ? "the arguments" : `'${clip(oneLine(pointer.slice(1), 240), MAX_PLACE)}'`;
}

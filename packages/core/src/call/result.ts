import { type ResultMarker, type ResultStatus, toAttemptErrors } from "../attempts/index.ts";
import type { ValidationError } from "@toolcontract/explain";
import { FORMAT_VERSION, isRecord } from "@toolcontract/explain/adapter";
import type { Lane, StageFeedback, ToolCall, TypedOutcome } from "../shared/index.ts";
import { formatAsk, formatSkipNote, formatUnable } from "../message/index.ts";
import { hasLateAdvisories, withLate } from "./late-property.ts";
import { isMcpResult, mcpText } from "./mcp-result.ts";

/** What the model reads of what a tool returned. */
export interface WireOutput {
  /** The text of the result. */
  readonly content: string;
  /** True if the tool failed. */
  readonly isError: boolean;
}

/** The answer to one tool call, as plain data. */
export interface ToolResult {
  /** The version of the message format in `content`. */
  readonly formatVersion: string;
  /** The id of the answered call. */
  readonly toolCallId: string;
  readonly toolName: string;
  /** What came with the call for its answer, as `write` of `@toolcontract/core/wire` needs it. */
  readonly wire?: Readonly<Record<string, unknown>>;
  /** What the model reads. */
  readonly content: string;
  /** True if the call did not run or its tool failed. */
  readonly isError: boolean;
  readonly status: ResultStatus;
  /** What was wrong with the call. */
  readonly errors?: readonly ValidationError[];
  /** How many errors there are, if more than in `errors`. */
  readonly totalErrors?: number;
  /** What the failed attempt is counted under. */
  readonly lane?: Lane;
  /** How the sequence of attempts ended, if its lane ends in a typed outcome. */
  readonly outcome?: TypedOutcome;
  /** What a stage says about the failed attempt as data, such as `guardrail_class` and `remaining_budget`; the model reads `content`. */
  readonly feedback?: StageFeedback;
  /** The number of the failed attempt, starting at 1. */
  readonly attempt?: number;
  /** How many attempts the tool has. */
  readonly maxAttempts?: number;
  /**
   * Identifies repeated arguments. It belongs in a marker, never in a log or a message.
   *
   * @remarks Not enumerable, so copies and JSON do not include it: call `resultMarker` with the result itself.
   */
  readonly argumentsHash?: string;
  /** Warnings and remarks, whether the call ran or not. */
  readonly advisories: readonly ValidationError[];
}

/** What a result contains besides its call. */
export type ToolResultParts = Partial<
  Pick<
    ToolResult,
    | "isError"
    | "errors"
    | "totalErrors"
    | "lane"
    | "outcome"
    | "feedback"
    | "attempt"
    | "maxAttempts"
    | "advisories"
  >
> &
  Pick<ToolResult, "content" | "status">;

const NONE: readonly never[] = Object.freeze([]);

/** What a result has of its call. */
export type CallToAnswer = Pick<ToolCall, "id" | "name" | "wire">;

/** Builds the answer to a call; if the call did not run, it is always an error. */
export function createToolResult(
  call: CallToAnswer,
  parts: ToolResultParts,
  argumentsHash?: string,
): ToolResult {
  const result: ToolResult = {
    ...parts,
    advisories: parts.advisories ?? NONE,
    formatVersion: FORMAT_VERSION,
    toolCallId: call.id,
    toolName: call.name,
    ...(call.wire && { wire: call.wire }),
    isError: parts.status !== "executed" || parts.isError === true,
  };
  return argumentsHash === undefined
    ? result
    : withLate(result, "argumentsHash", () => argumentsHash);
}

/** The message of the retry contract's "Error Format". */
export interface ToolMessage {
  readonly role: "tool";
  /** The id of the answered call. */
  readonly tool_call_id: string;
  /** What the model reads. */
  readonly content: string;
  /** True if the call did not run or its tool failed. */
  readonly is_error: boolean;
}

/**
 * Converts a result to the message that the retry contract defines.
 *
 * @example
 * ```ts
 * messages.push(...handled.map(({ result }) => toToolMessage(result)));
 * ```
 * @see docs/your-own-loop.md
 */
export function toToolMessage(result: ToolResult): ToolMessage {
  return {
    role: "tool",
    tool_call_id: result.toolCallId,
    content: result.content,
    is_error: result.isError,
  };
}

/** A tool message of the OpenAI chat API, which has no error flag. */
export type OpenAIToolMessage = Omit<ToolMessage, "is_error">;

/**
 * Converts a result to a tool message for the OpenAI chat API.
 *
 * @example
 * ```ts
 * messages.push(...handled.map(({ result }) => toOpenAI(result)));
 * ```
 * @see docs/your-own-loop.md
 */
export function toOpenAI(result: ToolResult): OpenAIToolMessage {
  return { role: "tool", tool_call_id: result.toolCallId, content: result.content };
}

/** A tool result block of the Anthropic messages API. */
export interface AnthropicToolResult {
  readonly type: "tool_result";
  /** The id of the answered call. */
  readonly tool_use_id: string;
  /** What the model reads. */
  readonly content: string;
  readonly is_error?: true;
}

/**
 * Converts a result to a block for the Anthropic messages API; `is_error` is present only on errors.
 *
 * @example
 * ```ts
 * const content = handled.map(({ result }) => toAnthropic(result));
 * messages.push({ role: "user", content });
 * ```
 * @see docs/your-own-loop.md
 */
export function toAnthropic(result: ToolResult): AnthropicToolResult {
  const { toolCallId, content, isError } = result;
  return {
    type: "tool_result",
    tool_use_id: toolCallId,
    content,
    ...(isError && { is_error: true }),
  };
}

/**
 * What a host stores beside the result, so attempts can be counted from its history later.
 *
 * @example
 * ```ts
 * message.metadata = resultMarker(result); // readResultMarker reads it back
 * ```
 * @see docs/attempts-and-escalation.md
 */
export function resultMarker(result: ToolResult): ResultMarker {
  const { formatVersion, status, argumentsHash, errors, lane, outcome } = result;
  const kept = errors && toAttemptErrors(errors);
  const failed = status === "executed" && result.isError;
  const totalErrors = result.totalErrors ?? errors?.length ?? 0;
  return {
    formatVersion,
    status,
    ...(failed && { failed }),
    ...(lane !== undefined && { lane }),
    ...(argumentsHash !== undefined && { argumentsHash }),
    ...(kept && { errors: kept }),
    ...(kept && totalErrors > kept.length && { totalErrors }),
    ...(outcome && { outcome }),
  };
}

/** What a result takes from the call's admission. */
interface Remarked {
  /** What the check of its arguments found. */
  readonly checked: { readonly advisories: readonly ValidationError[] };
  note(): string;
}

/** What a tool returned, with the note that the model reads below it; only a string has room for one. */
export function noted(output: string, note: string): string;
export function noted(output: unknown, note: string): unknown;
export function noted(output: unknown, note: string): unknown {
  return note !== "" && typeof output === "string" ? `${output}\n\n${note}` : output;
}

/** The result of a call that ran, and the note on its advisories; `isFailed` if the tool failed whatever it returned. */
export function executedResult(
  call: ToolCall,
  output: unknown,
  admitted: Remarked,
  read?: (output: never) => WireOutput,
  isFailed: boolean = false,
): ToolResult {
  const { content, isError } = read ? read(output as never) : toWireOutput(output);
  const parts = { content: noted(content, admitted.note()), isError: isError || isFailed };
  return ranResult(call, parts, admitted);
}

/** The result of a call whose tool ran and failed, in our own words. */
export function failedResult(call: ToolCall, content: string, admitted: Remarked): ToolResult {
  return ranResult(call, { content, isError: true }, admitted);
}

function ranResult(call: ToolCall, output: WireOutput, admitted: Remarked): ToolResult {
  const { content, isError } = output;
  const { checked } = admitted;
  const isLate = hasLateAdvisories(checked);
  const advisories = isLate ? NONE : checked.advisories;
  const result = createToolResult(call, { content, isError, status: "executed", advisories });
  return isLate ? withLate(result, "advisories", () => checked.advisories) : result;
}

/** The answer to a call that waits for a person: it belongs to no lane and counts as no attempt. */
export function askedResult(
  call: CallToAnswer,
  toolName: string,
  reasons: readonly string[],
): ToolResult {
  const content = formatAsk(toolName, reasons);
  return createToolResult(call, { content, status: "skipped", errors: [] });
}

/** The answer to a call for which the host has not passed what it needs: it belongs to no lane and counts as no attempt. */
export function unableResult(
  call: CallToAnswer,
  toolName: string,
  errors: readonly ValidationError[],
): ToolResult {
  const reasons = errors.map(({ errorCode, message }) => `(${errorCode}): ${message}`);
  return createToolResult(call, {
    content: formatUnable(toolName, reasons),
    status: "skipped",
    errors,
  });
}

/** The answer to a call too many in its turn: it belongs to no lane and counts as no attempt. */
export function skippedResult(call: CallToAnswer, limit: number): ToolResult {
  return createToolResult(call, { content: formatSkipNote(limit), status: "skipped", errors: [] });
}

/**
 * Converts a tool's return value: a string as is, what an MCP result says with its error flag, anything else as JSON.
 *
 * A stream is not read: its content is empty, and the host keeps the value.
 */
function toWireOutput(output: unknown): WireOutput {
  try {
    return readOutput(output);
  } catch {
    // The tool has run, so its result must reach the host even if it cannot be read.
    return { content: "", isError: false };
  }
}

function readOutput(output: unknown): WireOutput {
  if (typeof output === "string") return { content: output, isError: false };
  if (isMcpResult(output)) return { content: mcpText(output), isError: output.isError === true };
  const isFailed =
    isRecord(output) && Array.isArray(output["content"]) && output["isError"] === true;
  return { content: isStream(output) ? "" : jsonText(output), isError: isFailed };
}

/** Whether a value is read as it comes: it has no text yet. */
export function isStream(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (Symbol.asyncIterator in value || "getReader" in value)
  );
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

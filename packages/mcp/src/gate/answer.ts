import type { CallFailedError, Refused, ValidationError } from "@toolcontract/core";
import {
  holdsExactNumbers,
  isRecord,
  memberOf,
  type Message,
  keysOfPointer,
  type ServerResponse,
  INVALID_PARAMS,
  INTERNAL_ERROR,
} from "../wire/index.ts";
import type { ToolCallRequest } from "./call.ts";

/**
 * The key of a result's `_meta` that describes the rejection to programs.
 *
 * @example
 * ```ts
 * const rejection = result._meta?.[META_KEY];
 * ```
 */
export const META_KEY = "dev.toolcontract/validation";

/** A rejection for programs: plain data without argument values. */
export interface ValidationMeta {
  /** The version of the message format. */
  readonly formatVersion: string;
  /** The tool's name. */
  readonly tool: string;
  /** `"blocked"` if the attempts are spent. */
  readonly status: "rejected" | "blocked";
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
  /** True if no attempts are left. */
  readonly exhausted: boolean;
  readonly errors: readonly MetaError[];
}

/** One error: its place and code, what the schema expects, and the JSON type of what was sent. */
export interface MetaError {
  /** The JSON Pointer of the field. */
  readonly path: string;
  /** The error's code, such as `VAL-001`. */
  readonly code: string;
  /** What the schema wants. */
  readonly expected?: string;
  /** The type of the value that was sent. */
  readonly received?: string;
}

/** Builds the response to a refused call: a result, because models do not see JSON-RPC errors. */
export function toResponse(
  { id, arguments: args, isTask, isModern }: ToolCallRequest,
  answer: Refused,
  extra: readonly unknown[] = [],
): Message {
  const meta = { [META_KEY]: validationMeta(answer, args) };
  const text = answer.result.content;
  if (isTask) {
    // A call for a task has no result that could carry the message.
    return { jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message: text, data: meta } };
  }
  const result = { ...errorResult(text, extra), _meta: meta };
  return { jsonrpc: "2.0", id, result: isModern ? { resultType: "complete", ...result } : result };
}

/** Builds the response to a call whose tool failed, as a stage or a limit reported it. */
export function toFailedResponse(
  { id, isTask, isModern }: ToolCallRequest,
  { message }: Pick<CallFailedError, "message">,
): Message {
  if (isTask) return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
  const result = errorResult(message, []);
  return { jsonrpc: "2.0", id, result: isModern ? { resultType: "complete", ...result } : result };
}

// No structuredContent: clients validate it against the schema of successful results.
function errorResult(text: string, extra: readonly unknown[]): Message {
  return { isError: true, content: [{ type: "text", text }, ...extra] };
}

function validationMeta(answer: Refused, args: unknown): ValidationMeta {
  const { status, attempt, maxAttempts, result, errors } = answer;
  return {
    formatVersion: result.formatVersion,
    tool: result.toolName,
    status: status === "ask" ? "rejected" : status,
    attempt,
    maxAttempts,
    exhausted: status === "blocked",
    errors: errors.map((error) => toMetaError(error, args)),
  };
}

function toMetaError(
  { fieldPath: path, errorCode: code, expectedValue: expected }: ValidationError,
  args: unknown,
): MetaError {
  const received = typeOf(keysOfPointer(path).reduce(memberOf, args));
  return {
    path,
    code,
    ...(expected !== undefined && { expected }),
    ...(received !== undefined && { received }),
  };
}

/** The JSON type of a value; undefined if there is no value. */
function typeOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** The codes of errors in which servers report what a tool threw. */
const OF_TOOLS: ReadonlySet<unknown> = new Set([INTERNAL_ERROR, -32_000]);

/** Appends the contract's note to a result or a tool's error; undefined if it cannot take one. */
export function addNote(
  message: Message,
  response: ServerResponse,
  note: string,
): Message | undefined {
  if (note === "") return undefined;
  if (response.kind === "error") {
    const { error } = response;
    const { code, message: text } = error;
    if (!OF_TOOLS.has(code) || typeof text !== "string" || !holdsExactNumbers(error)) {
      return undefined;
    }
    return { ...message, error: { ...error, message: `${text}\n\n${note}` } };
  }
  const { result } = response;
  const { content, resultType = "complete" } = result;
  if (!Array.isArray(content) || resultType !== "complete") return undefined;
  if (!holdsExactNumbers(result)) return undefined;
  const noted = [...(content as readonly unknown[]), { type: "text", text: note }];
  return { ...message, result: { ...result, content: noted } };
}

/** Keeps the `_meta` that the server sent. */
export function withServerMeta(answer: Message, response: ServerResponse): Message {
  const { result } = answer;
  const theirs = response.kind === "result" ? response.result["_meta"] : undefined;
  if (!isRecord(result) || !isRecord(theirs)) return answer;
  const own = result["_meta"];
  return { ...answer, result: { ...result, _meta: { ...theirs, ...(isRecord(own) && own) } } };
}

import type { Blocked, Rejected, ValidationError } from "@toolcontract/core";
import type { Message } from "../wire/index.ts";
import type { ToolCallRequest } from "./call.ts";
import { memberOf, segmentsOf } from "./repaired-copy.ts";

/** JSON-RPC's "invalid params", the only way to tell a client that wants a task what was wrong. */
const INVALID_PARAMS = -32_602;

/** The contract's answer as the response to the call; never an error that models do not get to read. */
export function toResponse(
  { id, arguments: args, isTask, isModern }: ToolCallRequest,
  answer: Rejected | Blocked,
  own: readonly unknown[] = [],
): Message {
  const meta = { [META_KEY]: validationMeta(answer, args) };
  const text = answer.result.content;
  if (isTask) {
    return { jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message: text, data: meta } };
  }
  // No structuredContent: a client holds it against the schema of successful results.
  const result = { isError: true, content: [{ type: "text", text }, ...own], _meta: meta };
  return {
    jsonrpc: "2.0",
    id,
    result: isModern ? { resultType: "complete", ...result } : result,
  };
}

/** Under which key a result tells machines of the rejection. */
export const META_KEY = "dev.toolcontract/validation";

/** What a rejection tells machines, as plain data without values. */
export interface ValidationMeta {
  readonly formatVersion: string;
  readonly tool: string;
  readonly status: "rejected" | "blocked";
  readonly attempt: number;
  readonly maxAttempts: number;
  /** True once the attempts are spent. */
  readonly exhausted: boolean;
  readonly errors: readonly MetaError[];
}

/** One error: where, which, what the schema wants and the type of what came. */
export interface MetaError {
  readonly path: string;
  readonly code: string;
  readonly expected?: string;
  readonly received?: string;
}

/** Describes a rejection of the given arguments. */
function validationMeta(answer: Rejected | Blocked, args: unknown): ValidationMeta {
  const { status, attempt, maxAttempts, result, errors } = answer;
  return {
    formatVersion: result.formatVersion,
    tool: result.toolName,
    status,
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
  const received = typeOf(segmentsOf(path).reduce(memberOf, args));
  return {
    path,
    code,
    ...(expected !== undefined && { expected }),
    ...(received !== undefined && { received }),
  };
}

/** The JSON type of a value; undefined where there is none. */
function typeOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

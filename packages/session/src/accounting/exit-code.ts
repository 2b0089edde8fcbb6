import { ToolContractError } from "@toolcontract/core";
import { causeChain, isAnyObject, isRecord } from "@toolcontract/core/adapter";
import { RunError, type RunErrorCategory } from "../shared/index.ts";

/** 0 success, 1 failure, 3 not started, 4 invalid configuration or arguments, 5 a schema does not accept a value. */
export type ExitCode = 0 | 1 | 3 | 4 | 5;

const CODES: Readonly<Record<RunErrorCategory, ExitCode>> = {
  failed: 1,
  "not-started": 3,
  configuration: 4,
  schema: 5,
};
/** System calls with which a server is started or reached. */
const STARTING: ReadonlySet<string> = new Set(["connect", "getaddrinfo", "spawn"]);
/** Codes of the MCP SDK: the connection was closed, the request timed out. */
const MCP_DOWN: ReadonlySet<unknown> = new Set([-32_000, -32_001]);
/** Errors of frameworks whose schema did not accept a value; those of validators have `issues`. */
const SCHEMA_ERRORS: ReadonlySet<unknown> = new Set([
  "AI_InvalidToolInputError",
  "AI_TypeValidationError",
]);

/**
 * The exit code of a command-line program that made a run, by what it returned or threw. A `RunError` decides by its
 * category, whatever its cause; else the kind and the fields of an error and its causes, never the words. Anything
 * unknown is 1.
 *
 * @example
 * ```ts
 * process.exitCode = exitCodeOf(result);
 * ```
 * @see packages/session/README.md
 */
export function exitCodeOf(resultOrError: unknown): ExitCode {
  if (isRecord(resultOrError) && typeof resultOrError["success"] === "boolean") {
    return resultOrError["success"] ? 0 : 1;
  }
  for (const error of causeChain(resultOrError).filter(isAnyObject)) {
    if (RunError.isInstance(error)) return CODES[error.category] ?? 1;
    const code = codeOfError(error);
    if (code !== 1) return code;
  }
  return 1;
}

function codeOfError(error: object): ExitCode {
  if (ToolContractError.isInstance(error)) return 4;
  const { name, code, syscall, issues } = error as Readonly<Record<string, unknown>>;
  if (Array.isArray(issues) || SCHEMA_ERRORS.has(name)) return 5;
  if (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS_")) return 4;
  // Node names the program after the call: "spawn node".
  const call = typeof syscall === "string" ? syscall.split(" ", 1)[0] : undefined;
  if (call !== undefined && STARTING.has(call)) return 3;
  return MCP_DOWN.has(code) ? 3 : 1;
}

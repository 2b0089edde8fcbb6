import { isRecord, parseJson } from "@toolcontract/explain/adapter";

/** A call that the contract refused, as its log has it: codes and places, no values. */
export interface RefusedCall {
  readonly kind: "refused";
  readonly tool: string;
  /** The id that the host passed for its logs; empty without one. */
  readonly correlation: string;
  readonly errors: readonly LoggedError[];
}

/** A call that succeeded after refused ones. */
interface RecoveredCall {
  readonly kind: "recovered";
  readonly tool: string;
  readonly correlation: string;
  /** How many refused calls came before it. */
  readonly after: number;
}

/** The code of an error, and its place in the arguments. */
interface LoggedError {
  readonly path: string;
  readonly code: string;
}

/** What the log says of one call. */
export type LoggedCall = RefusedCall | RecoveredCall;

const RECOVERED = "Tool call recovered";

/** Reads the lines that are log entries of a contract; what else is in the log is skipped, whoever wrote it. */
export function readLog(text: string): readonly LoggedCall[] {
  return text.split("\n").flatMap((line) => callIn(line) ?? []);
}

function callIn(line: string): LoggedCall | undefined {
  // Loggers and log collectors write something in front of the JSON.
  const start = line.indexOf("{");
  if (start === -1 || !line.includes("tool_name")) return undefined;
  const entry = parseJson(line.slice(start));
  if (!isRecord(entry)) return undefined;
  const { tool_name: tool, correlation_id: id, errors, retry_attempt: attempt } = entry;
  if (typeof tool !== "string") return undefined;
  const correlation = typeof id === "string" ? id : "";
  if (Array.isArray(errors))
    return { kind: "refused", tool, correlation, errors: errors.flatMap(errorIn) };
  const isRecovery = [entry["message"], entry["msg"]].includes(RECOVERED);
  if (!isRecovery || !Number.isInteger(attempt)) return undefined;
  return { kind: "recovered", tool, correlation, after: Number(attempt) - 1 };
}

function errorIn(error: unknown): readonly LoggedError[] {
  if (!isRecord(error)) return [];
  const { path, code } = error;
  return typeof path === "string" && typeof code === "string" ? [{ path, code }] : [];
}

import { logLine, oneLine } from "@toolcontract/explain/adapter";
import { isOnlyQuoted } from "../message/index.ts";
import type { Lane } from "../shared/index.ts";
import type { ContractLogger, LogFields } from "./log-fields.ts";
import {
  type CallRefused,
  type Fault,
  type Report,
  type ReportedCall,
  toErrorPlaces,
} from "./report.ts";

/** The arguments of one logger call. */
export interface LogEntry {
  readonly fields: LogFields;
  readonly message: string;
}

const MAX_NAME = 128;

/** Writes a report for the log; undefined for one that is not logged. None of the fields holds an argument's value. */
export function logEntryOf(report: Report): LogEntry | undefined {
  const entry = entryOf(report);
  const name = entry?.fields.tool_name;
  if (!entry || typeof name !== "string") return entry;
  // A tool's name is its server's.
  return { ...entry, fields: { ...entry.fields, tool_name: oneLine(name, MAX_NAME) } as LogFields };
}

function entryOf(report: Report): LogEntry | undefined {
  switch (report.kind) {
    case "refused": {
      const end = report.status === "blocked" ? "blocked" : "failed";
      const message = report.isObserved
        ? `Tool ${report.lane} would have ${end === "failed" ? end : "been blocked"}`
        : `Tool ${report.lane} ${end}`;
      const isAgain = end === "blocked" || report.attempt > 1;
      const option = isAgain ? optionFor(report) : "";
      return { fields: refusedFields(report), message: message + option };
    }
    case "asked": {
      const { call, isObserved } = report;
      if (!isObserved) return undefined;
      const fields = { level: "warn", package: "core", mode: "observe" } as const;
      return {
        fields: { ...fields, tool_name: call.toolName, ...correlation(call) },
        message: "A person would have been asked about a tool call",
      };
    }
    case "repaired": {
      const { call, repairs } = report;
      // Where and how much was changed, never the text.
      const shown = repairs.map(({ step, offset, removed, inserted }) => ({
        step,
        offset,
        removed,
        inserted,
      }));
      return {
        fields: { level: "info", tool_name: call.toolName, repairs: shown, ...correlation(call) },
        message: "Tool arguments repaired",
      };
    }
    case "recovered": {
      const { call, attempt, lane } = report;
      return {
        fields: {
          level: "info",
          tool_name: call.toolName,
          retry_attempt: attempt,
          ...laneField(lane),
          ...correlation(call),
        },
        message: "Tool call recovered",
      };
    }
    case "skipped": {
      const { isObserved, limit } = report;
      const fields = { level: "warn", package: "core", max_calls_per_turn: limit } as const;
      return isObserved
        ? { fields: { ...fields, mode: "observe" }, message: "Tool call would have been skipped" }
        : { fields, message: "Tool call skipped" };
    }
    case "degraded":
      return report.isFirst
        ? { fields: faultFields(report), message: "Tool contract degraded" }
        : undefined;
    case "restored":
      return {
        fields: { level: "info", package: "core", stage: report.stage },
        message: "Tool contract restored",
      };
    case "observing":
      return {
        fields: { level: "warn", package: "core", mode: "observe" },
        message:
          "Tool contract observes: nothing is refused, and calls that a person would be asked about run unasked",
      };
    case "unjudged":
      return {
        fields: { level: "warn", package: "core", tool_name: report.toolName },
        message: "Tool is not validated: it has no schema and no validator",
      };
    case "doubted":
      return {
        fields: { level: "warn", package: "core", finish_reason: report.finishReason },
        message:
          "Finish reason is not known to mean that the output is whole: a call without arguments did not run",
      };
    case "noted":
      return report;
    default:
      return undefined;
  }
}

/** The option that ends what a model cannot correct. */
function optionFor({ errors }: CallRefused): string {
  return errors.some(isOnlyQuoted)
    ? `; for clients that quote every value, set unwrapStrings: "scalars"`
    : "";
}

function refusedFields(report: CallRefused): LogFields {
  const { call, totalErrors, attempt, maxAttempts, errors, lane, isObserved } = report;
  return {
    level: "warn",
    tool_name: call.toolName,
    error_count: totalErrors,
    retry_attempt: attempt,
    max_retries: maxAttempts,
    errors: toErrorPlaces(errors),
    ...(isObserved && { mode: "observe" }),
    ...laneField(lane),
    ...correlation(call),
  };
}

/** The class of what was thrown, but never its message. */
function faultFields({ stage, errorClass, places, toolName }: Fault): LogFields {
  return {
    level: "warn",
    stage,
    error_class: errorClass,
    ...(places && { places }),
    ...(toolName !== undefined && { tool_name: toolName }),
  };
}

function laneField(lane: Lane): { readonly lane?: Lane } {
  return lane === "validation" ? {} : { lane };
}

function correlation(call: ReportedCall): {
  readonly correlation_id?: string;
  readonly agent_name?: string;
} {
  const { correlationId, agentName } = call.identity();
  return {
    ...(correlationId !== undefined && { correlation_id: correlationId }),
    ...(agentName !== undefined && { agent_name: agentName }),
  };
}

/** Writes each entry as one line of JSON to standard error. */
export const consoleLogger: ContractLogger = ({ level, ...fields }, message) => {
  console.error(logLine({ level, message, ...fields }));
};

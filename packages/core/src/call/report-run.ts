import type { Lane } from "../shared/index.ts";
import type { Handled } from "./decision.ts";
import type { AdmittedCall } from "./record.ts";

/** How a run ended. */
export interface ReportedEnd {
  readonly outcome: "returned" | "failed" | "threw" | "rejected" | "blocked" | "ask";
  readonly lane?: Lane;
  readonly charactersOut: number;
}

/** How a run ended that was answered. */
export function endOf(handled: Handled): ReportedEnd {
  const { content, isError } = handled.result;
  const charactersOut = content.length;
  if (handled.status === "executed") {
    return { outcome: isError ? "failed" : "returned", charactersOut };
  }
  const { status, lane } = handled;
  return { outcome: status, ...(lane && { lane }), charactersOut };
}

/** Reports a run once it has ended. */
export function reportRun(
  { record, attempt, output }: AdmittedCall,
  end: ReportedEnd,
  durationMs: number,
): void {
  const { call, reported, services } = record;
  const sent = call.rawText ?? (typeof call.arguments === "string" ? call.arguments : output);
  services.reporter.report({
    kind: "executed",
    call: reported,
    attempt,
    ...end,
    durationMs,
    charactersIn: lengthOf(sent),
  });
}

/** The length of a value as JSON, or of a string; 0 if it has none. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return 0;
  }
}

import { isRecord } from "@toolcontract/core/adapter";
import { cleanLine, type FinalReport, jsonText, type SessionEvent } from "../shared/index.ts";
import { readAnswer } from "./read-answer.ts";
import { readIfJson } from "./read-json.ts";
import type { ReportOptions } from "./report-options.ts";

const MAX_GIVEN = 64;

/** A call of the report tool: the report, or what the model reads instead. */
export type NormalizedReport =
  | { readonly status: "ok"; readonly report: FinalReport }
  | {
      readonly status: "invalid";
      /** The whole text that the model reads. */
      readonly reason: string;
    };

/**
 * Reads a call of the report tool.
 *
 * A wrong or missing `format` is never a failure: the report has the session's. `base64` is decoded, stringified JSON
 * is parsed, and an answer in the field of another format is taken if it can only be the answer there. Whatever else
 * is wrong is said in the contract's message.
 *
 * @param args - The arguments of the call: an object, or the model's JSON text.
 * @example
 * ```ts
 * const read = normalizeReport({ content: "Booked." }, { format: "markdown" });
 * if (read.status === "invalid") console.log(read.reason);
 * ```
 * @see packages/session/README.md
 */
export function normalizeReport(args: unknown, options: ReportOptions): NormalizedReport {
  const { format, clock = Date.now } = options;
  const answer = readAnswer(args, options);
  if (!answer.ok) {
    const { message: reason } = answer;
    emit(options, { type: "report-failed", payload: jsonText(args) ?? "(no JSON)", reason });
    return { status: "invalid", reason };
  }
  const { fields } = answer;
  noteFormat(fields["format"], options);
  const metadata = readIfJson(fields["metadata"]);
  const report = {
    status: "success",
    format,
    ts: clock(),
    ...answer.content,
    ...(isRecord(metadata) && { metadata }),
  } as const;
  return { status: "ok", report };
}

function noteFormat(given: unknown, options: ReportOptions): void {
  const { format: expected } = options;
  if (given === expected) return;
  emit(options, { type: "report-normalized", given: shortName(given), expected });
}

/** A format's name as operators may read it; undefined if it is not one. */
function shortName(given: unknown): string | undefined {
  return typeof given === "string" ? cleanLine(given).slice(0, MAX_GIVEN) : undefined;
}

function emit({ onEvent }: ReportOptions, event: SessionEvent): void {
  try {
    onEvent?.(event);
  } catch {
    // What an observer does changes nothing.
  }
}

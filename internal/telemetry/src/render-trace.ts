import { SpanStatusCode } from "@opentelemetry/api";
import type { SpanRecord } from "./start-recording.ts";

/** Writes spans as an indented tree, one line each, with `ERROR` and the `error.type` of those that failed. */
export function renderTrace(
  spans: readonly SpanRecord[],
  attributes: readonly string[] = [],
): string {
  const known = new Set(spans.map((span) => span.spanContext().spanId));
  const parentOf = ({ parentSpanContext }: SpanRecord): string | undefined =>
    parentSpanContext && known.has(parentSpanContext.spanId) ? parentSpanContext.spanId : undefined;

  function lines(parent: string | undefined, depth: number): readonly string[] {
    return spans
      .filter((span) => parentOf(span) === parent)
      .flatMap((span) => [
        "  ".repeat(depth) + lineOf(span, attributes),
        ...lines(span.spanContext().spanId, depth + 1),
      ]);
  }

  return lines(undefined, 0).join("\n");
}

function lineOf({ name, status, attributes, ended }: SpanRecord, shown: readonly string[]): string {
  const failed = status.code === SpanStatusCode.ERROR ? ["ERROR"] : [];
  const type = attributes["error.type"];
  if (failed.length > 0 && typeof type === "string") failed.push(type);
  const values = shown
    .filter((key) => attributes[key] !== undefined)
    .map((key) => `${key}=${JSON.stringify(attributes[key])}`);
  const open = ended ? [] : ["(not ended)"];
  return [name, ...failed, ...values, ...open].join(" ");
}

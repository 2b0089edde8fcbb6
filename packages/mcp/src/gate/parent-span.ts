import { isRecord, type Message, metaOf } from "../wire/index.ts";

/** What is used of `@opentelemetry/api` beside what core does; each part may be missing. */
interface ContextApi {
  readonly context: {
    active(): unknown;
    with<T>(context: unknown, task: () => T): T;
  };
  readonly trace: { setSpanContext(context: unknown, span: SpanContext): unknown };
}

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote: true;
}

/** Runs a task with the span that a message names as the active one. */
export type WithinParent = <T>(message: Message, task: () => T) => T;

/** Creates it from the option `telemetry`; without an API that has contexts, tasks just run. */
export function createWithinParent(telemetry: unknown): WithinParent {
  if (!hasContexts(telemetry)) return (_, task) => task();
  const { context, trace } = telemetry;
  return (message, task) => {
    const parent = parentOf(metaOf(message)?.["traceparent"]);
    if (parent === undefined) return task();
    return context.with(trace.setSpanContext(context.active(), parent), task);
  };
}

function hasContexts(api: unknown): api is ContextApi {
  if (!isRecord(api)) return false;
  const { context, trace } = api as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return [context?.["active"], context?.["with"], trace?.["setSpanContext"]].every(
    (member) => typeof member === "function",
  );
}

/** Reads W3C's `traceparent`; ids of zeros only are invalid. */
function parentOf(text: unknown): SpanContext | undefined {
  if (typeof text !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(text) ?? [];
  if (version === undefined || version === "ff") return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

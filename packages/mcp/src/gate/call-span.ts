import { ATTRIBUTES } from "@toolcontract/core/adapter";
import { isRecord, type Message, metaOf } from "../wire/index.ts";

/** What is used of `@opentelemetry/api` beside what core does; each part may be missing. */
interface TraceApi {
  readonly context: {
    active(): unknown;
    with<T>(context: unknown, task: () => T): T;
  };
  readonly trace: {
    setSpanContext(context: unknown, span: SpanContext): unknown;
    setSpan?(context: unknown, span: OwnSpan): unknown;
    getTracer?(name: string): Tracer;
  };
}

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote: true;
}

interface Tracer {
  startSpan(name: string, options: object, context: unknown): OwnSpan;
}

interface OwnSpan {
  setAttributes(attributes: Readonly<Record<string, string>>): unknown;
  setStatus(status: { readonly code: number }): unknown;
  updateName(name: string): unknown;
  end(): void;
}

/** How a call ended. */
interface CallEnd {
  /** The tool's name; undefined if the server does not list it. */
  readonly tool: string | undefined;
  /** The class of the error that the client got, if it got one, or why it got nothing. */
  readonly error: string | undefined;
}

/** The trace of one message of a client. */
export interface CallTrace {
  /** Runs a task within it. */
  readonly within: <T>(task: () => T) => T;
  /** Ends the call's span, if it has one of its own. */
  readonly end?: (call: CallEnd) => void;
}

/** Begins the trace of a message; `traceparent` is that of the request that brought it. */
export type BeginTrace = (message: Message, traceparent: unknown) => CallTrace;

const NONE: CallTrace = { within: (task) => task() };
const OPERATION = "execute_tool";
// Values of OpenTelemetry's enums.
const SERVER = 1;
const ERROR = 2;
const MAX_ID = 200;

/**
 * Creates it from the option `telemetry`. A message that names a parent is handled within that span; with `hasSpans`, each
 * tool call has a span of its own, from the request to the answer. Without an API that has contexts, tasks just run.
 */
export function createBeginTrace(telemetry: unknown, hasSpans: boolean): BeginTrace {
  if (!hasContexts(telemetry)) return () => NONE;
  const { context, trace } = telemetry;
  const tracer = hasSpans ? trace.getTracer?.("toolcontract.mcp") : undefined;

  return (message, traceparent) => {
    const parent = parentOf(metaOf(message)?.["traceparent"]) ?? parentOf(traceparent);
    const isCall = message["method"] === "tools/call" && "id" in message;
    if (tracer === undefined || trace.setSpan === undefined || !isCall) {
      if (parent === undefined) return NONE;
      return {
        within: (task) => context.with(trace.setSpanContext(context.active(), parent), task),
      };
    }
    const outer =
      parent === undefined ? context.active() : trace.setSpanContext(context.active(), parent);
    const attributes = {
      [ATTRIBUTES.operation]: OPERATION,
      [ATTRIBUTES.toolType]: "function",
      [ATTRIBUTES.callId]: String(message["id"]).slice(0, MAX_ID),
    };
    const span = tracer.startSpan(OPERATION, { kind: SERVER, attributes }, outer);
    const inner = trace.setSpan(outer, span);
    return {
      within: (task) => context.with(inner, task),
      end({ tool = "(unknown)", error }) {
        span.updateName(`${OPERATION} ${tool}`);
        span.setAttributes({
          [ATTRIBUTES.tool]: tool,
          ...(error !== undefined && { [ATTRIBUTES.errorType]: error }),
        });
        if (error !== undefined) span.setStatus({ code: ERROR });
        span.end();
      },
    };
  };
}

function hasContexts(api: unknown): api is TraceApi {
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

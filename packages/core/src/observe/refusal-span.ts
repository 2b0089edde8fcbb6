import { VERSION } from "../shared/index.ts";
import { ATTRIBUTES, OPERATION, SCHEMA_URL, SCOPE } from "./names.ts";
import { type CallRefused, type ReportedCall, toErrorPlaces } from "./report.ts";
import type { Attributes, TelemetryOptions, TelemetrySpan } from "./telemetry-api.ts";
import type { TelemetryHost } from "./telemetry-host.ts";

// Values of OpenTelemetry's enums.
const INTERNAL = 0;
const ERROR = 2;

const MAX_ID = 200;
const MAX_ERRORS = 100;

/** Marks a refused call in the trace and returns its span, if it has one. */
export type MarkRefusal = (call: ReportedCall, attributes: Attributes) => TelemetrySpan | undefined;

/** Creates the function that marks refused calls as the option `refusals` says. */
export function createRefusalMarker(
  { trace, refusals = "span" }: TelemetryOptions,
  host: TelemetryHost,
): MarkRefusal {
  if (trace === undefined || refusals === "off") return () => undefined;
  const active = (): TelemetrySpan | undefined => trace.getActiveSpan?.();

  function enrich(span: TelemetrySpan | undefined, attributes: Attributes): typeof span {
    if (!span) return undefined;
    if (typeof span.setAttributes !== "function" || typeof span.setStatus !== "function") {
      host.missing("trace.getActiveSpan().setAttributes");
      return undefined;
    }
    span.setAttributes(attributes);
    if (!isObserved(attributes)) span.setStatus({ code: ERROR });
    return span;
  }

  if (refusals === "active") return (_, attributes) => enrich(active(), attributes);
  // The module's own getTracer() drops the options.
  const schema = { schemaUrl: SCHEMA_URL };
  const tracer =
    trace.getTracerProvider?.().getTracer(SCOPE, VERSION, schema) ??
    trace.getTracer?.(SCOPE, VERSION);
  if (typeof tracer?.startSpan !== "function") {
    host.missing(tracer === undefined ? "trace.getTracer" : "trace.getTracer().startSpan");
    return () => undefined;
  }
  return (call, attributes) => {
    const own = active();
    if (own && isSpanOf(attributes, own)) return enrich(own, attributes);
    const { startedAt } = call;
    const span = tracer.startSpan(`${OPERATION} ${call.toolName}`, {
      kind: INTERNAL,
      ...(startedAt !== undefined && { startTime: startedAt }),
      attributes,
    });
    try {
      if (!isObserved(attributes)) span.setStatus?.({ code: ERROR });
    } finally {
      span.end?.(startedAt === undefined ? undefined : performance.now());
    }
    return span;
  };
}

/** A call that was only observed has not failed. */
function isObserved(attributes: Attributes): boolean {
  return attributes[ATTRIBUTES.mode] !== undefined;
}

/** Whether the host has made a span of this very call, which is then not doubled; SDKs let their spans be read. */
function isSpanOf(call: Attributes, span: TelemetrySpan): boolean {
  const { attributes } = span as { readonly attributes?: Readonly<Record<string, unknown>> };
  return [ATTRIBUTES.operation, ATTRIBUTES.callId].every(
    (name) => attributes?.[name] !== undefined && attributes[name] === call[name],
  );
}

/** The attributes of a refused call; none of them is a value of its arguments. */
export function refusalAttributes(report: CallRefused, withConversation: boolean): Attributes {
  const { call, status, lane, attempt, maxAttempts, errors, escalation } = report;
  const { toolName, toolCallId, conversationId } = call;
  const codes = errors.map(({ errorCode }) => errorCode);
  return {
    [ATTRIBUTES.operation]: OPERATION,
    [ATTRIBUTES.tool]: toolName,
    [ATTRIBUTES.toolType]: "function",
    [ATTRIBUTES.callId]: toolCallId.slice(0, MAX_ID),
    ...(report.isObserved
      ? { [ATTRIBUTES.mode]: "observe" }
      : { [ATTRIBUTES.errorType]: codes[0] ?? status }),
    [ATTRIBUTES.outcome]: status,
    [ATTRIBUTES.errorCodes]: codes.slice(0, MAX_ERRORS),
    ...(lane !== "validation" && { [ATTRIBUTES.lane]: lane }),
    [ATTRIBUTES.attempt]: attempt,
    [ATTRIBUTES.maxAttempts]: maxAttempts,
    [ATTRIBUTES.errorPaths]: toErrorPlaces(errors).map(({ path }) => path),
    ...(escalation && { [ATTRIBUTES.escalated]: true }),
    ...(withConversation &&
      conversationId !== "" && {
        [ATTRIBUTES.conversationId]: conversationId.slice(0, MAX_ID),
      }),
  };
}

import { type Lane, VERSION } from "../shared/index.ts";
import type { Faults } from "./faults.ts";
import { type Instruments, createInstruments } from "./instruments.ts";
import { countsOf, createToolLabels } from "./metrics.ts";
import { ATTRIBUTES, LOG_RECORDS, SCHEMA_URL, SCOPE } from "./names.ts";
import { type MarkRefusal, createRefusalMarker, refusalAttributes } from "./refusal-span.ts";
import type { CallAdmitted, CallRefused, Fault, Report } from "./report.ts";
import { type TelemetryHost, createTelemetryHost } from "./telemetry-host.ts";
import type {
  Attributes,
  TelemetryLogger,
  TelemetryOptions,
  TelemetrySpan,
} from "./telemetry-api.ts";

// OpenTelemetry's number of this severity.
const WARN = 13;

/** Reports to OpenTelemetry. */
export interface Telemetry {
  /** Counts a report and measures; a call that did not run gets a span and a log record. */
  record(report: Report): void;
}

interface Prepared {
  readonly instruments: Instruments;
  readonly mark: MarkRefusal;
  readonly log: (name: string, attributes: Attributes, span?: TelemetrySpan) => void;
}

/** Creates a reporter that skips any instrument that is missing or fails. */
export function createTelemetry(options: TelemetryOptions, faults: Faults): Telemetry {
  const host = createTelemetryHost(faults);
  const labelOf = createToolLabels();
  const stageOf = createToolLabels();
  let prepared: Prepared | undefined;

  function prepare(): Prepared {
    if (prepared) return prepared;
    prepared = {
      instruments: createInstruments(options, host),
      mark: host.part(
        () => createRefusalMarker(options, host),
        () => undefined,
      ),
      log: host.part(
        () => createLog(options, host),
        () => undefined,
      ),
    };
    host.release();
    return prepared;
  }

  function recordCall(report: CallAdmitted | CallRefused): void {
    const { instruments } = prepare();
    const isRefused = report.kind === "refused";
    const tool = { [ATTRIBUTES.tool]: labelOf(report.call.toolName) };
    const lane = isRefused ? { ...laneAttribute(report), ...modeAttribute(report) } : {};
    const outcome = isRefused ? report.status : "admitted";
    instruments.calls(1, { ...tool, [ATTRIBUTES.outcome]: outcome, ...lane });
    if (isRefused) {
      for (const [code, count] of countsOf(report)) {
        instruments.errors(count, { ...tool, [ATTRIBUTES.errorCode]: code, ...lane });
      }
    }
    if (report.isRepaired) instruments.repairs(1, tool);
    if (isRefused) recordRefusal(report, tool);
  }

  function recordRefusal(report: CallRefused, tool: Attributes): void {
    const { instruments, mark, log } = prepare();
    if (report.escalation) {
      const lane = { ...laneAttribute(report), ...modeAttribute(report) };
      instruments.escalations(1, { ...tool, ...lane });
      instruments.attempts(report.attempt, { ...tool, [ATTRIBUTES.result]: "blocked", ...lane });
    }
    const attributes = refusalAttributes(report, options.conversationId === true);
    let span: TelemetrySpan | undefined;
    host.guard(() => {
      span = mark(report.call, attributes);
    });
    log(LOG_RECORDS[report.status], attributes, span);
  }

  function recordFault({ stage, errorClass, toolName, isFirst }: Fault): void {
    // Counting a fault of OpenTelemetry may fail in the same way, at once or later.
    if (stage === "telemetry" && !isFirst) return;
    const { instruments, log } = prepare();
    const at = { [ATTRIBUTES.stage]: stageOf(stage) };
    instruments.degraded(1, at);
    if (!isFirst) return;
    const named = toolName !== undefined && { [ATTRIBUTES.tool]: toolName };
    log(LOG_RECORDS.degraded, { ...at, [ATTRIBUTES.errorType]: errorClass, ...named });
  }

  return {
    record(report) {
      switch (report.kind) {
        case "admitted":
        case "refused":
          recordCall(report);
          break;
        case "recovered":
          prepare().instruments.attempts(report.attempt, {
            [ATTRIBUTES.tool]: labelOf(report.call.toolName),
            [ATTRIBUTES.result]: "recovered",
            ...laneAttribute(report),
          });
          break;
        case "degraded":
          recordFault(report);
          break;
        case "checked":
          prepare().instruments.checkDuration(report.seconds, {});
          break;
        case "stored":
          prepare().instruments.storeDuration(report.seconds, {
            [ATTRIBUTES.result]: report.result,
          });
          break;
        default:
      }
    },
  };
}

/** Creates the function that writes log records, in the context of the call's span if it has one. */
function createLog(
  { logs, trace, context }: TelemetryOptions,
  host: TelemetryHost,
): Prepared["log"] {
  const logger: TelemetryLogger | undefined = logs?.getLogger(SCOPE, VERSION, {
    schemaUrl: SCHEMA_URL,
  });
  if (logger === undefined) return () => undefined;
  return (eventName, attributes, span) => {
    let place: unknown;
    host.guard(() => {
      place = span && trace?.setSpan?.(context?.active() as never, span as never);
    });
    const within = place !== undefined && { context: place as never };
    const severity = { severityNumber: WARN, severityText: "WARN" };
    host.guard(() => logger.emit({ eventName, ...severity, attributes, ...within }));
  };
}

/** A call that was only observed went on. */
function modeAttribute({ isObserved }: CallRefused): Attributes {
  return isObserved ? { [ATTRIBUTES.mode]: "observe" } : {};
}

/** Validation is the lane of all calls before there were others, so it has no attribute. */
function laneAttribute({ lane }: { readonly lane: Lane }): Attributes {
  return lane === "validation" ? {} : { [ATTRIBUTES.lane]: lane };
}

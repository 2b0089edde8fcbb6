import type { StoreResult } from "../attempts/index.ts";
import { type Lane, VERSION } from "../shared/index.ts";
import type { Faults } from "./events.ts";
import { type Instruments, createInstruments } from "./instruments.ts";
import { type CallOutcome, countsOf, createToolLabels } from "./metrics.ts";
import { ATTRIBUTES, LOG_RECORDS, SCHEMA_URL, SCOPE } from "./names.ts";
import { type MarkRefusal, createRefusalMarker, refusalAttributes } from "./refusal-span.ts";
import { type TelemetryHost, createTelemetryHost } from "./telemetry-host.ts";
import type {
  Attributes,
  TelemetryLogger,
  TelemetryOptions,
  TelemetrySpan,
} from "./telemetry-api.ts";

// OpenTelemetry's number of this severity.
const WARN = 13;

/** A call that succeeded after failed attempts. */
export interface RecoveredCall {
  readonly toolName: string;
  readonly lane: Lane;
  /** The number of the attempt that succeeded, from 2. */
  readonly attempt: number;
}

/** A fault of the library or of the host. */
export interface Fault {
  readonly stage: string;
  readonly errorClass: string;
  readonly toolName?: string | undefined;
}

/** Reports to OpenTelemetry. */
export interface Telemetry {
  /** Counts a decided call; one that did not run gets a span and a log record. */
  record(call: CallOutcome): void;
  recovered(call: RecoveredCall): void;
  /** Counts a fault; `isFirst` if it is also logged. */
  degraded(fault: Fault, isFirst: boolean): void;
  /** Records how long a check took. */
  checked(seconds: number): void;
  stored(result: StoreResult, seconds: number): void;
}

interface Prepared {
  readonly instruments: Instruments;
  readonly mark: MarkRefusal;
  readonly log: (name: string, attributes: Attributes, span?: TelemetrySpan) => void;
}

/** Creates a reporter that does without what fails or is missing. */
export function createTelemetry(
  options: TelemetryOptions,
  faults: Pick<Faults, "report" | "guard">,
): Telemetry {
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

  return {
    record(call) {
      const { instruments, mark, log } = prepare();
      const tool = { [ATTRIBUTES.tool]: labelOf(call.toolName) };
      const lane = laneOf(call);
      instruments.calls(1, { ...tool, [ATTRIBUTES.outcome]: call.outcome, ...lane });
      for (const [code, count] of countsOf(call)) {
        instruments.errors(count, { ...tool, [ATTRIBUTES.errorCode]: code, ...lane });
      }
      if (call.repaired) instruments.repairs(1, tool);
      if (call.escalated === true) {
        instruments.escalations(1, { ...tool, ...lane });
        instruments.attempts(call.attempt ?? 1, {
          ...tool,
          [ATTRIBUTES.result]: "blocked",
          ...lane,
        });
      }
      if (call.outcome === "admitted") return;
      const attributes = refusalAttributes(call, options.conversationId === true);
      let span: TelemetrySpan | undefined;
      host.guard(() => {
        span = mark(call, attributes);
      });
      log(LOG_RECORDS[call.outcome], attributes, span);
    },
    recovered(call) {
      prepare().instruments.attempts(call.attempt, {
        [ATTRIBUTES.tool]: labelOf(call.toolName),
        [ATTRIBUTES.result]: "recovered",
        ...laneOf(call),
      });
    },
    degraded({ stage, errorClass, toolName }, isFirst) {
      const { instruments, log } = prepare();
      const at = { [ATTRIBUTES.stage]: stageOf(stage) };
      instruments.degraded(1, at);
      if (!isFirst) return;
      const named = toolName !== undefined && { [ATTRIBUTES.tool]: toolName };
      log(LOG_RECORDS.degraded, { ...at, [ATTRIBUTES.errorType]: errorClass, ...named });
    },
    checked(seconds) {
      prepare().instruments.checkDuration(seconds, {});
    },
    stored(result, seconds) {
      prepare().instruments.storeDuration(seconds, { [ATTRIBUTES.result]: result });
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

/** Validation is the lane of all calls before there were others, so it has no attribute. */
function laneOf({ lane }: Pick<CallOutcome, "lane">): Attributes {
  return lane === undefined || lane === "validation" ? {} : { [ATTRIBUTES.lane]: lane };
}

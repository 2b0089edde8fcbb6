import { createSeenOnce, type Sanitizer } from "@toolcontract/explain/adapter";
import type { Escalation } from "../message/index.ts";
import { type ContractEventMap, EVENT_NAMES } from "./event-map.ts";
import { type Events, createEvents, emitReport } from "./events.ts";
import { type Faults, createFaults } from "./faults.ts";
import type { ContractLogger } from "./log-fields.ts";
import { logEntryOf } from "./logger.ts";
import { type MetricsSnapshot, createMetrics } from "./metrics.ts";
import type { LastingReport, Report, ReportedCall } from "./report.ts";
import { createTelemetry } from "./telemetry.ts";
import type { TelemetryOptions } from "./telemetry-api.ts";

const MAX_LENGTH = 128;

/** Reports what happens in a contract: each thing once, and every channel reads it there. */
export interface Reporter extends Faults {
  /** Tells the metrics, the telemetry, the log and the listeners, in this order. */
  readonly report: (report: Report) => void;
  /** Tells of something that is so until the host changes it, the first time. */
  readonly once: (report: LastingReport) => void;
  /** Begins to report on a call. */
  readonly begin: (call: CallNames) => ReportedCall;
  /** Whether anybody needs to know how long something takes. */
  readonly isTimed: boolean;
  /** Whether an event has listeners. */
  readonly isWatched: (event: keyof ContractEventMap) => boolean;
  /** Subscribes to an event. */
  readonly on: Events<ContractEventMap>["on"];
  /** The counts of all calls. */
  readonly metrics: () => MetricsSnapshot;
}

/** Who called what; `toolName` is the name under which the call is reported. */
interface CallNames extends Pick<ReportedCall, "toolName" | "toolCallId" | "conversationId"> {
  /**
   * The host's id for its logs.
   *
   * @default the conversation's
   */
  readonly correlationId?: string | undefined;
}

/** Where a contract reports to. */
interface Channels {
  /** Undefined if nothing is logged. */
  readonly logger: ContractLogger | undefined;
  readonly telemetry?: TelemetryOptions | undefined;
  readonly onEscalation?: ((escalation: Escalation) => unknown) | undefined;
  /** The events of the stage, besides the contract's own. */
  readonly added?: readonly string[] | undefined;
  readonly sanitizer: Sanitizer;
}

/** Creates what the parts of one contract report with. */
export function createReporter(channels: Channels): Reporter {
  const { logger, onEscalation, added = [], sanitizer } = channels;
  const faults = createFaults(report);
  const { guard } = faults;
  const names = [...EVENT_NAMES, ...(added as readonly (keyof ContractEventMap)[])];
  const events = createEvents<ContractEventMap>(names, (thrown) =>
    faults.fault("listener", thrown),
  );
  const metrics = createMetrics();
  const isFirst = createSeenOnce();
  const telemetry = channels.telemetry && createTelemetry(channels.telemetry, faults);

  function report(one: Report): void {
    metrics.count(one);
    if (telemetry) guard("telemetry", () => telemetry.record(one));
    const entry = logger && logEntryOf(one);
    if (entry) guard("logger", () => logger(entry.fields, entry.message));
    emitReport(one, events);
    if (one.kind !== "refused" || !one.escalation || !onEscalation) return;
    const { call, escalation } = one;
    guard("onEscalation", () => onEscalation(escalation), call.toolName);
  }

  return {
    ...faults,
    report,
    once(one) {
      if (isFirst(JSON.stringify(one))) report(one);
    },
    begin({ toolName, toolCallId, conversationId, correlationId: given = conversationId }) {
      let identity: ReturnType<ReportedCall["identity"]> | undefined;
      const identify = (): typeof identity & {} => {
        const correlationId = sanitizer.text(given, { maxLength: MAX_LENGTH });
        // Without a conversation there is nothing to correlate by.
        const correlated = correlationId !== "" && { correlationId };
        return { toolName, toolCallId, conversationId, ...correlated };
      };
      return {
        toolName,
        toolCallId,
        conversationId,
        startedAt: telemetry && performance.now(),
        identity: () => (identity ??= identify()),
      };
    },
    isTimed: telemetry !== undefined,
    isWatched: events.isWatched,
    on: events.on,
    metrics: metrics.snapshot,
  };
}

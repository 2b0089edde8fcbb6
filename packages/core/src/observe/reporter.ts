import { createSeenOnce, type Sanitizer } from "@toolcontract/explain/adapter";
import type { Escalation } from "../message/index.ts";
import { type ContractEventMap, EVENT_NAMES } from "./event-map.ts";
import { type Events, createEvents, emitReport } from "./events.ts";
import { type Faults, createFaults } from "./faults.ts";
import type { ContractLogger } from "./log-fields.ts";
import { logEntryOf } from "./logger.ts";
import { type MetricsSnapshot, createMetrics } from "./metrics.ts";
import type { CallEvent, LastingReport, Report, ReportedCall } from "./report.ts";
import { createTelemetry } from "./telemetry.ts";
import type { TelemetryOptions } from "./telemetry-api.ts";

const MAX_LENGTH = 128;

/** Where a call is made, in the host's words. */
interface CallPlace {
  readonly conversationId: string;
  readonly correlationId?: string;
  readonly agentName?: string;
}

/** Reports what happens in a contract: each thing once, and every channel reads it there. */
export interface Reporter extends Faults {
  /** Tells the metrics, the telemetry, the log and the listeners, in this order. */
  readonly report: (report: Report) => void;
  /** Tells of something that is so until the host changes it, the first time. */
  readonly once: (report: LastingReport) => void;
  /** Begins to report on a call. */
  readonly begin: (toolName: string, toolCallId: string, place: CallPlace) => ReportedCall;
  /** Whether anybody needs to know how long something takes. */
  readonly isTimed: boolean;
  /** Whether an event has listeners. */
  readonly isWatched: (event: keyof ContractEventMap) => boolean;
  /** Subscribes to an event. */
  readonly on: Events<ContractEventMap>["on"];
  /** The counts of all calls. */
  readonly metrics: () => MetricsSnapshot;
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
    begin: (toolName, toolCallId, place) => {
      const startedAt = telemetry && performance.now();
      return new BegunCall(toolName, toolCallId, place, startedAt, sanitizer);
    },
    isTimed: telemetry !== undefined,
    isWatched: events.isWatched,
    on: events.on,
    metrics: metrics.snapshot,
  };
}

/** A call that is reported. A class, because every valid call has one, and most are never named. */
class BegunCall implements ReportedCall {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly conversationId: string;
  readonly startedAt: number | undefined;
  readonly #place: CallPlace;
  readonly #sanitizer: Sanitizer;
  #identity: CallEvent | undefined;

  constructor(
    toolName: string,
    toolCallId: string,
    place: CallPlace,
    startedAt: number | undefined,
    sanitizer: Sanitizer,
  ) {
    this.toolName = toolName;
    this.toolCallId = toolCallId;
    this.conversationId = place.conversationId;
    this.startedAt = startedAt;
    this.#place = place;
    this.#sanitizer = sanitizer;
  }

  identity(): CallEvent {
    return (this.#identity ??= this.#named());
  }

  #named(): CallEvent {
    const { toolName, toolCallId, conversationId } = this;
    const { correlationId = conversationId, agentName = "" } = this.#place;
    // Without a conversation there is nothing to correlate by.
    const correlated = this.#shown("correlationId", correlationId);
    return {
      toolName,
      toolCallId,
      conversationId,
      ...correlated,
      ...this.#shown("agentName", agentName),
    };
  }

  #shown<K extends "correlationId" | "agentName">(
    key: K,
    text: string,
  ): { readonly [Key in K]?: string } {
    const shown = text === "" ? "" : this.#sanitizer.text(text, { maxLength: MAX_LENGTH });
    return (shown === "" ? {} : { [key]: shown }) as { readonly [Key in K]?: string };
  }
}

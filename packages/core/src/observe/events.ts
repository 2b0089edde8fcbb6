import { ToolContractError } from "@toolcontract/explain";
import { type Repair, isPromiseLike } from "@toolcontract/explain/adapter";
import type { Escalation } from "../message/index.ts";
import type { Lane } from "../shared/index.ts";
import {
  type ContractLogger,
  type ErrorPlace,
  type LogEntry,
  errorClass,
  faultEntry,
} from "./logger.ts";
import type { Fault } from "./telemetry.ts";

/** Fields of every event about a call. */
export interface CallEvent {
  readonly toolName: string;
  readonly toolCallId: string;
  /** The conversation in which the call was made. */
  readonly conversationId: string;
  /** The host's id for its logs, if it passed one. */
  readonly correlationId?: string;
}

/** A call is valid and may run. */
export interface CallAdmittedEvent extends CallEvent {
  /** Where the warnings and remarks are. */
  readonly advisories: readonly ErrorPlace[];
}

/** A call's JSON text was repaired before it was validated. */
export interface CallRepairedEvent extends CallEvent {
  readonly repairs: readonly Repair[];
}

/** A tool ran, or a stage refused the call before or after it ran; no value is in it. */
export interface CallExecutedEvent extends CallEvent {
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The lane in which a stage refused the call. */
  readonly lane?: Lane;
  /** `"failed"`: the tool returned an error result; `"threw"`: it threw. */
  readonly outcome: "returned" | "failed" | "threw" | "rejected" | "blocked";
  /** How long the run took, by the contract's `clock`. */
  readonly durationMs: number;
  /** The length of the arguments as JSON, in UTF-16 code units. */
  readonly charactersIn: number;
  /** The length of what the model reads, in UTF-16 code units; 0 if the tool threw. */
  readonly charactersOut: number;
}

/** A call succeeded after failed attempts of its tool; emitted once a turn and lane. */
export interface CallRecoveredEvent extends CallEvent {
  /** The lane in which the earlier attempts failed. */
  readonly lane: Lane;
  /** The number of the attempt that succeeded, from 2. */
  readonly attempt: number;
}

/** A call was rejected; also emitted if the tool's attempts were already spent. */
export interface CallRejectedEvent extends CallEvent {
  /** What the attempt is counted under. */
  readonly lane: Lane;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
  /** Which errors were found, and where. */
  readonly errors: readonly ErrorPlace[];
}

/** A tool's attempts are spent. */
export interface CallEscalatedEvent extends CallEvent {
  readonly escalation: Escalation;
}

/** A stage failed; calls continue without it. */
export interface ContractDegradedEvent {
  /** The stage that failed: a word of this library, never foreign text. */
  readonly stage: string;
  /** The class of what was thrown. */
  readonly errorClass: string;
  readonly toolName?: string;
  /** Where in the tool's schema, as JSON Pointers; at most 20. */
  readonly places?: readonly string[];
}

/**
 * The events of a contract; no payload holds argument values, except through an escalation's accessors.
 *
 * A package adds the events of its stage by module augmentation.
 */
export interface ContractEventMap {
  /** A call is valid and may run. */
  "call-admitted": CallAdmittedEvent;
  /** The JSON text of a call was repaired. */
  "call-repaired": CallRepairedEvent;
  /** A tool ran inside the contract. */
  "call-executed": CallExecutedEvent;
  /** A call succeeded after failed attempts. */
  "call-recovered": CallRecoveredEvent;
  /** A call was rejected or blocked. */
  "call-rejected": CallRejectedEvent;
  /** The attempts of a tool are spent. */
  "call-escalated": CallEscalatedEvent;
  /** A stage failed; calls continue without it. */
  "contract-degraded": ContractDegradedEvent;
}

/** The names of a contract's events. */
export const EVENT_NAMES: readonly (keyof ContractEventMap)[] = [
  "call-admitted",
  "call-repaired",
  "call-executed",
  "call-recovered",
  "call-rejected",
  "call-escalated",
  "contract-degraded",
];

/** Called with an event's payload; what it returns or throws does not affect the call. */
export type Listener<Payload> = (payload: Payload) => unknown;

/** A typed event emitter. */
export interface Events<EventMap> {
  /** Adds a listener and returns the function that removes it; throws if the event is unknown. */
  on<Name extends keyof EventMap>(event: Name, listener: Listener<EventMap[Name]>): () => void;
  /** Calls the listeners; the payload is created only if there are any. */
  emit<Name extends keyof EventMap>(event: Name, payload: () => EventMap[Name]): void;
  /** Whether an event has listeners. */
  isWatched(event: keyof EventMap): boolean;
}

/** Creates an emitter whose listeners cannot break a call: what they throw or reject with goes to `onFault`. */
export function createEvents<EventMap>(
  names: readonly (keyof EventMap & string)[],
  onFault: (thrown: unknown) => void,
): Events<EventMap> {
  type Subscription = { readonly listener: Listener<never> };
  const subscriptions = new Map<keyof EventMap, readonly Subscription[]>();
  return {
    on: (event, listener) => {
      if (!names.some((name) => name === event)) {
        throw new ToolContractError(
          `contract.on: unknown event. The events are ${names.join(", ")}.`,
        );
      }
      if (typeof listener !== "function") {
        throw new ToolContractError(
          "contract.on: the second argument must be a function (event) => void.",
        );
      }
      const subscription: Subscription = { listener };
      subscriptions.set(event, [...(subscriptions.get(event) ?? []), subscription]);
      return () => {
        const others = subscriptions.get(event)?.filter((other) => other !== subscription) ?? [];
        subscriptions.set(event, others);
      };
    },
    isWatched: (event) => (subscriptions.get(event)?.length ?? 0) > 0,
    emit: (event, payload) => {
      const listening = subscriptions.get(event) ?? [];
      if (listening.length === 0) return;
      const created = payload();
      for (const { listener } of listening)
        notify(listener as Listener<typeof created>, created, onFault);
    },
  };
}

function notify<Payload>(
  listener: Listener<Payload>,
  payload: Payload,
  onFault: (thrown: unknown) => void,
): void {
  try {
    const answer = listener(payload);
    if (isPromiseLike(answer)) answer.then(undefined, onFault);
  } catch (thrown) {
    onFault(thrown);
  }
}

const MAX_REPORTED = 1_000;
const MAX_PLACES = 20;
const MAX_POINTER = 200;

function shownPlaces(places: readonly string[]): readonly string[] {
  return places.slice(0, MAX_PLACES).map((pointer) => pointer.slice(0, MAX_POINTER));
}

/** Reports faults of this library and of the host's callbacks once each; calls continue. */
export interface Faults {
  readonly events: Events<ContractEventMap>;
  /** Reports a fault, once per stage and tool. */
  report(stage: string, thrown: unknown, toolName?: string, places?: readonly string[]): void;
  /** Logs that a stage works again; its next fault is reported anew. */
  restored(stage: string): void;
  /** Writes a log entry; a logger that throws is itself reported as a fault. */
  log(entry: LogEntry): void;
  /** Runs a host callback; what it throws or rejects with is reported as a fault of the stage. */
  guard(stage: string, callback: () => unknown, toolName?: string): void;
}

/**
 * Creates the reporter, with the events through which it also reports.
 *
 * @param added - The events of the stage.
 * @param onReport - Called with every fault, also with those that were reported before.
 */
export function createFaults(
  logger: ContractLogger,
  added: readonly string[] = [],
  onReport: (fault: Fault, isFirst: boolean) => void = () => undefined,
): Faults {
  const reported = new Set<string>();
  const names = [...EVENT_NAMES, ...(added as readonly (keyof ContractEventMap)[])];
  const events = createEvents<ContractEventMap>(names, (thrown) => report("listener", thrown));

  function report(
    stage: string,
    thrown: unknown,
    toolName?: string,
    places?: readonly string[],
  ): void {
    const key = JSON.stringify([stage, toolName ?? ""]);
    const isFirst = !reported.has(key) && reported.size < MAX_REPORTED;
    if (isFirst) reported.add(key);
    onReport({ stage, errorClass: errorClass(thrown), toolName }, isFirst);
    if (!isFirst) return;
    const shown = places && { places: shownPlaces(places) };
    log(faultEntry(stage, thrown, toolName === undefined ? undefined : { toolName }, shown));
    const degraded = { stage, errorClass: errorClass(thrown), ...shown };
    events.emit("contract-degraded", () =>
      toolName === undefined ? degraded : { ...degraded, toolName },
    );
  }

  function restored(stage: string): void {
    if (!reported.delete(JSON.stringify([stage, ""]))) return;
    log({ fields: { level: "info", package: "core", stage }, message: "Tool contract restored" });
  }

  function log({ fields, message }: LogEntry): void {
    guard("logger", () => logger(fields, message));
  }

  function guard(stage: string, callback: () => unknown, toolName?: string): void {
    try {
      const answer = callback();
      if (isPromiseLike(answer))
        void answer.then(undefined, (thrown: unknown) => report(stage, thrown, toolName));
    } catch (thrown) {
      report(stage, thrown, toolName);
    }
  }

  return { events, report, restored, log, guard };
}

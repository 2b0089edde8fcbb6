import { ToolContractError } from "@toolcontract/explain";
import { isPromiseLike } from "@toolcontract/explain/adapter";
import type { CallExecutedEvent, ContractEventMap } from "./event-map.ts";
import { type Report, toErrorPlaces } from "./report.ts";

/** Called with an event's payload; what it returns or throws does not affect the call. */
export type Listener<Payload> = (payload: Payload) => unknown;

/** A typed event emitter. */
export interface Events<EventMap> {
  /** Adds a listener and returns the function that removes it; throws if the event is unknown. */
  readonly on: <Name extends keyof EventMap>(
    event: Name,
    listener: Listener<EventMap[Name]>,
  ) => () => void;
  /** Calls the listeners; the payload is created only if there are any. */
  readonly emit: <Name extends keyof EventMap>(event: Name, payload: () => EventMap[Name]) => void;
  /** Whether an event has listeners. */
  readonly isWatched: (event: keyof EventMap) => boolean;
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

/** Emits a report as the event that listeners know. */
export function emitReport(report: Report, { emit }: Events<ContractEventMap>): void {
  switch (report.kind) {
    case "admitted": {
      const { call, checked } = report;
      emit("call-admitted", () => ({
        ...call.identity(),
        advisories: toErrorPlaces(checked.advisories),
      }));
      break;
    }
    case "repaired": {
      const { call, repairs } = report;
      emit("call-repaired", () => ({ ...call.identity(), repairs }));
      break;
    }
    case "recovered": {
      const { call, lane, attempt } = report;
      emit("call-recovered", () => {
        const { toolName, ...identity } = call.identity();
        return { toolName, lane, attempt, ...identity };
      });
      break;
    }
    case "refused": {
      const { call, escalation, lane, attempt, maxAttempts, errors, isObserved } = report;
      const observed = isObserved && { observed: true as const };
      if (escalation) {
        emit("call-escalated", () => ({ ...call.identity(), escalation, ...observed }));
        break;
      }
      emit("call-rejected", () => ({
        ...call.identity(),
        lane,
        attempt,
        maxAttempts,
        errors: toErrorPlaces(errors),
        ...observed,
      }));
      break;
    }
    case "executed": {
      const { kind: _, call, ...run } = report;
      emit("call-executed", (): CallExecutedEvent => ({ ...call.identity(), ...run }));
      break;
    }
    case "degraded": {
      const { isFirst, stage, errorClass, toolName, places } = report;
      if (!isFirst) break;
      emit("contract-degraded", () => ({
        stage,
        errorClass,
        ...(places && { places }),
        ...(toolName !== undefined && { toolName }),
      }));
      break;
    }
    case "emitted":
      emit(report.event as never, report.payload as never);
      break;
    default:
  }
}

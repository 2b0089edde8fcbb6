import { isPromiseLike } from "../maybe-promise.ts";

/** Receives the payload of one kind of event; what it returns or throws never reaches the call. */
export type Listener<Payload> = (payload: Payload) => unknown;

/** A typed event emitter. */
export interface Events<EventMap> {
  /** Adds a listener and returns the function that takes it away again. */
  on<Name extends keyof EventMap>(event: Name, listener: Listener<EventMap[Name]>): () => void;
  emit<Name extends keyof EventMap>(event: Name, payload: EventMap[Name]): void;
}

/** Makes an emitter whose listeners cannot break a call: what they throw or reject with goes to `onFault`. */
export function createEvents<EventMap>(onFault: (thrown: unknown) => void): Events<EventMap> {
  type Subscription = { readonly listener: Listener<never> };
  const subscriptions = new Map<keyof EventMap, readonly Subscription[]>();
  return {
    on: (event, listener) => {
      const subscription: Subscription = { listener };
      subscriptions.set(event, [...(subscriptions.get(event) ?? []), subscription]);
      return () => {
        const others = subscriptions.get(event)?.filter((other) => other !== subscription) ?? [];
        subscriptions.set(event, others);
      };
    },
    emit: (event, payload) => {
      for (const { listener } of subscriptions.get(event) ?? []) {
        notify(listener as Listener<typeof payload>, payload, onFault);
      }
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

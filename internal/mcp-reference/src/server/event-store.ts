import { randomUUID } from "node:crypto";

interface StoredEvent<Message> {
  readonly id: string;
  readonly stream: string;
  readonly message: Message;
}

/** Stores the events of streams, so that a client can resume a stream; fits the transports of both SDK lines. */
export interface MemoryEventStore<Message> {
  storeEvent(stream: string, message: Message): Promise<string>;
  getStreamIdForEventId(id: string): Promise<string | undefined>;
  replayEventsAfter(
    id: string,
    client: { readonly send: (id: string, message: Message) => Promise<void> },
  ): Promise<string>;
}

/** Keeps events in memory for as long as a test takes. */
export function createEventStore<Message extends object>(): MemoryEventStore<Message> {
  const events: StoredEvent<Message>[] = [];
  return {
    async storeEvent(stream, message) {
      const id = randomUUID();
      events.push({ id, stream, message });
      return id;
    },
    async getStreamIdForEventId(id) {
      return events.find((event) => event.id === id)?.stream;
    },
    async replayEventsAfter(lastId, { send }) {
      const from = events.findIndex(({ id }) => id === lastId);
      const { stream } = events[from] ?? { stream: "" };
      for (const event of events.slice(from + 1)) {
        // The event that opens a stream carries no message.
        const isMessage = Object.keys(event.message).length > 0;
        if (event.stream === stream && isMessage) await send(event.id, event.message);
      }
      return stream;
    },
  };
}

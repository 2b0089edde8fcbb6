import type { GateServices } from "./gate-services.ts";
import type { Link, Message } from "./link.ts";
import type { LinkState } from "./link-state.ts";
import { readResponse } from "./server-response.ts";
import { addNote, settleInvalid } from "./settle-response.ts";

/** Looks at a server's message and gives the one to send instead, if any. */
export function passServer(
  message: Message,
  link: Link,
  state: LinkState,
  services: GateServices,
): Message | undefined | Promise<Message | undefined> {
  if (message["method"] === "notifications/tools/list_changed") {
    services.lists.of(link).expire();
    return undefined;
  }
  const response = readResponse(message);
  const pending = response && state.pending.take(response.id);
  if (response === undefined || pending === undefined) return undefined;
  switch (pending.kind) {
    case "list":
      if (response.kind === "result") {
        services.lists.of(link).learn(pending.cursor, response.result, pending.state);
      }
      return undefined;
    case "invalid":
      return settleInvalid(response, pending, services);
    case "noted":
      return pending.note.then((note) => addNote(message, response, note));
  }
}

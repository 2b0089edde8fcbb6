import type { Json } from "./turn.ts";

/** An event as it is sent, with its name if it has one. */
export function eventText(event: Json): string {
  const name = typeof event["type"] === "string" ? `event: ${event["type"]}\n` : "";
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

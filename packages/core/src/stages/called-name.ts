import { quoteDeclaredName, quoteName } from "../sanitize/quote-name.ts";
import type { ToolCall } from "../tool-call.ts";

/** A call and the name under which it is counted, which is its own only where the host has such a tool. */
interface Called {
  readonly call: ToolCall;
  readonly label: string;
}

/** The called name where the host has such a tool; any other is the model's own text and may hold a secret. */
export function calledName({ call, label }: Called): string {
  return call.name === label ? call.name : quoteName(call.name);
}

/** The called name as messages show it. */
export function shownName({ call, label }: Called): string {
  return call.name === label ? quoteDeclaredName(call.name) : quoteName(call.name);
}

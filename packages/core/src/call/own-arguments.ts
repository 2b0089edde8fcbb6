import type { ToolCall } from "../shared/index.ts";

const DEEPEST = 200;

/** The call with arguments of its own: what the host changes in an object while a stage waits must not reach the tool. */
export function withOwnArguments(call: ToolCall): ToolCall {
  if (typeof call.arguments !== "object") return call;
  return { ...call, arguments: ownArguments(call.arguments) };
}

/** A copy of plain data; anything else is shared. */
function ownArguments(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => ownArguments(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy = Object.create(prototype) as Record<string, unknown>;
  for (const [key, item] of Object.entries(value)) {
    const own = ownArguments(item, depth + 1);
    if (key === "__proto__") {
      // Assigning would change the prototype.
      Object.defineProperty(copy, key, {
        value: own,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    } else copy[key] = own;
  }
  return copy;
}

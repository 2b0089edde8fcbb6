import { isRecord } from "@toolcontract/core/adapter";

/**
 * The configuration of a run with a copy of the graph's state, so that what a tool changes in it is gone if a stage
 * refuses the call. `ToolNode` passes the live object: its changes would be in the next checkpoint.
 *
 * @remarks The messages are not copied, nor is anything that is not plain data.
 */
export function withOwnState<TConfig>(config: TConfig): TConfig {
  const state = isRecord(config) ? config["state"] : undefined;
  if (!isRecord(state) || Array.isArray(state)) return config;
  const { messages, ...others } = state;
  const copied = copyOf(others, new Map()) as object;
  return { ...config, state: { ...copied, ...("messages" in state && { messages }) } };
}

/** Copies plain data as deep as it goes, once for each object; anything else is shared. */
function copyOf(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const remember = <T>(copy: T): T => {
    copies.set(value, copy);
    return copy;
  };
  if (Array.isArray(value)) {
    const copy = remember<unknown[]>([]);
    for (const item of value) copy.push(copyOf(item, copies));
    return copy;
  }
  if (value instanceof Date) return remember(new Date(value));
  if (value instanceof Set) {
    const copy = remember(new Set());
    for (const item of value) copy.add(copyOf(item, copies));
    return copy;
  }
  if (value instanceof Map) {
    const copy = remember(new Map());
    for (const [key, item] of value) copy.set(copyOf(key, copies), copyOf(item, copies));
    return copy;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy = remember(Object.create(prototype) as Record<string, unknown>);
  for (const [key, item] of Object.entries(value)) {
    // Defined, not assigned: `__proto__` may be a field.
    Object.defineProperty(copy, key, {
      value: copyOf(item, copies),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}

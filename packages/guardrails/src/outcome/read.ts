const MAX_CAUSES = 8;
const MAX_ERRORS = 24;

/** Reads a property of anything; undefined if there is none, or if reading it throws. */
export function read(value: unknown, key: PropertyKey): unknown {
  if ((typeof value !== "object" || value === null) && typeof value !== "function")
    return undefined;
  try {
    return (value as Readonly<Record<PropertyKey, unknown>>)[key];
  } catch {
    // A getter or a proxy that throws.
    return undefined;
  }
}

/** Reads a property that is a string. */
export function readString(value: unknown, key: PropertyKey): string | undefined {
  const found = read(value, key);
  return typeof found === "string" ? found : undefined;
}

/** Whether a value is an array, also if it is a revoked proxy. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value is an object with a prototype that plain data has. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || isArray(value)) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    // An object of another realm has that realm's `Object.prototype`, whose prototype is null.
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
}

/** Whether something is an error, also one of another realm. */
export function isError(value: unknown): boolean {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** An error and what caused it, nearest first; bounded, and each once. */
export function causesOf(error: unknown): readonly unknown[] {
  const found = new Set<unknown>([error]);
  let level: readonly unknown[] = [error];
  for (let depth = 0; depth < MAX_CAUSES && level.length > 0; depth += 1) {
    const next = level.flatMap(directCauses).filter((cause) => !found.has(cause));
    level = next.slice(0, MAX_ERRORS - found.size);
    for (const cause of level) found.add(cause);
  }
  return [...found];
}

function directCauses(error: unknown): readonly unknown[] {
  const cause = read(error, "cause");
  // An AggregateError, such as `Promise.any` throws.
  const errors = read(error, "errors");
  const several: unknown[] = [];
  for (let index = 0; isArray(errors) && index < MAX_ERRORS; index += 1) {
    const inner = read(errors, index);
    if (isError(inner)) several.push(inner);
  }
  return cause === undefined || cause === null ? several : [cause, ...several];
}

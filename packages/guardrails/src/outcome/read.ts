import { isArray, readMember } from "@toolcontract/core/adapter";

/** Reads a property that is a string. */
export function readString(value: unknown, key: PropertyKey): string | undefined {
  const found = readMember(value, key);
  return typeof found === "string" ? found : undefined;
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

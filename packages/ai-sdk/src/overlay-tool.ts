import type { SdkTool } from "./sdk.ts";

/**
 * Copies a tool with some members replaced.
 *
 * @remarks Class members are not own properties, and hidden ones are not enumerable: a spread would lose both.
 */
export function overlayTool(tool: SdkTool, replaced: object): SdkTool {
  const copy: object = Object.create(Object.getPrototypeOf(tool) as object | null) as object;
  const own = Object.getOwnPropertyDescriptors(tool);
  for (const key of Reflect.ownKeys(own)) {
    const { enumerable = false } = own[key as keyof typeof own] ?? {};
    defineMember(copy, key, read(tool, key), enumerable);
  }
  // Defined, not assigned: assigning would call a setter of the class.
  for (const [key, value] of Object.entries(replaced)) defineMember(copy, key, value, true);
  for (const key of accessorsOf(tool)) {
    // Read on the tool itself, whose getter may use a private field.
    const get = (): unknown => read(tool, key);
    if (!Object.hasOwn(copy, key)) Object.defineProperty(copy, key, { get, configurable: true });
  }
  return copy as SdkTool;
}

function defineMember(copy: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  Object.defineProperty(copy, key, { value, enumerable, writable: true, configurable: true });
}

function read(tool: SdkTool, key: PropertyKey): unknown {
  return (tool as unknown as Readonly<Record<PropertyKey, unknown>>)[key];
}

/** The getters of the tool's classes, without those of Object. */
function accessorsOf(tool: object): readonly string[] {
  const parent = Object.getPrototypeOf(tool) as object | null;
  if (parent === null || Object.getPrototypeOf(parent) === null) return [];
  const members = Object.entries(Object.getOwnPropertyDescriptors(parent));
  const own = members.flatMap(([key, descriptor]) => ("get" in descriptor ? [key] : []));
  return [...own, ...accessorsOf(parent)];
}

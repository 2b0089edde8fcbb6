import { viewOf } from "@toolcontract/core/adapter";
import type { SdkTool } from "./sdk.ts";

/**
 * Copies a tool with some members replaced.
 *
 * @remarks Own members are copied, hidden ones too, so that a spread of the copy has them all. What the tool has of its class is reached
 * through a view, and runs on the tool itself, where its private members are.
 */
export function overlayTool(tool: SdkTool, replaced: object): SdkTool {
  const copy: object = Object.create(viewOf(tool, {})) as object;
  const own = Object.getOwnPropertyDescriptors(tool);
  for (const key of Reflect.ownKeys(own)) {
    const { enumerable = false } = own[key as keyof typeof own] ?? {};
    defineMember(copy, key, Reflect.get(tool, key), enumerable);
  }
  // Defined, not assigned: assigning would call a setter of the class.
  for (const [key, value] of Object.entries(replaced)) defineMember(copy, key, value, true);
  return copy as SdkTool;
}

function defineMember(copy: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  Object.defineProperty(copy, key, { value, enumerable, writable: true, configurable: true });
}

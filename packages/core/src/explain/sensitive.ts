import type { SchemaRecord } from "./walk.ts";

/** Tells whether a schema says that the values under it are secrets. */
export function isSensitive(schema: SchemaRecord): boolean {
  return schema["writeOnly"] === true || schema["format"] === "password";
}

import type { Json } from "../surface/tool.ts";

/** Generates a value for a simple schema: required properties only. */
export function sampleOf(schema: Json): unknown {
  if (schema["type"] === "object") {
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Json>>;
    const required = (schema["required"] ?? []) as readonly string[];
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  }
  const samples: Json = { string: "word", number: 1.5, integer: 2, boolean: true, array: [] };
  return samples[String(schema["type"])] ?? "word";
}

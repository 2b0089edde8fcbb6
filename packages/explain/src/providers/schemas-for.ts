import { type DataRule, oneOf } from "../options/index.ts";
import type { JsonSchema } from "../shared/index.ts";
import { type SchemaProvider, toProvider } from "./to-provider.ts";

/** What an option that names a provider takes. */
export const isSchemaProvider: DataRule = oneOf("openai", "anthropic", "gemini", "bedrock");

/** The schema that a model is shown for a tool. */
export type ShownSchema = (name: string, schema: object) => object;

/** Creates the writer of the schemas that models of a provider are shown; each schema is written once. None without a provider. */
export function schemasFor(provider: SchemaProvider | undefined): ShownSchema | undefined {
  if (provider === undefined) return undefined;
  const written = new WeakMap<object, object>();
  return (name, schema) => {
    const known =
      written.get(schema) ??
      (toProvider({ name, inputSchema: schema as JsonSchema }, provider).inputSchema as object);
    written.set(schema, known);
    return known;
  };
}

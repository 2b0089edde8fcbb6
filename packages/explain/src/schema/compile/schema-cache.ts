import { type JsonSchema, createRecentMap } from "../../shared/index.ts";
import { compileSchema } from "./compile-schema.ts";
import type { CompiledSchema, SchemaEngine } from "./compiled-schema.ts";
import { openSchema } from "./open-schema.ts";

const MAX_SCHEMAS = 500;

/** Caches compiled schemas by object and, for apps that rebuild their tools, by JSON. */
export interface SchemaCache {
  /** Returns the compiled schema, compiling it if it is new. */
  get(schema: JsonSchema): CompiledSchema;
  /** How many schemas were compiled. */
  readonly compilations: number;
}

/** Creates a cache of at most `maxSchemas` compiled schemas; the least recently used one is evicted. */
export function createSchemaCache(
  compile: (schema: JsonSchema, json: string) => CompiledSchema,
  maxSchemas: number = MAX_SCHEMAS,
): SchemaCache {
  const byObject = new WeakMap<object, CompiledSchema>();
  const byJson = createRecentMap<string, CompiledSchema>(maxSchemas);
  let compilations = 0;

  function fromJson(schema: JsonSchema): CompiledSchema {
    const json = toJson(schema);
    if (json === undefined) return openSchema("schema-not-compiled");
    const known = byJson.get(json);
    if (known) return known;
    compilations += 1;
    const compiled = compile(schema, json);
    byJson.set(json, compiled);
    return compiled;
  }

  return {
    get(schema) {
      if (typeof schema !== "object" || schema === null) return fromJson(schema);
      let compiled = byObject.get(schema);
      if (!compiled) {
        compiled = fromJson(schema);
        byObject.set(schema, compiled);
      }
      return compiled;
    },
    get compilations() {
      return compilations;
    },
  };
}

/** Creates a cache of schemas that are validated and explained as `engine` says. */
export function createCompilingCache(engine: SchemaEngine = {}, maxSchemas?: number): SchemaCache {
  return createSchemaCache((schema, json) => compileSchema(schema, json, engine), maxSchemas);
}

/** Writes a schema as JSON, with its keys in order, because messages follow that order. */
function toJson(schema: JsonSchema): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

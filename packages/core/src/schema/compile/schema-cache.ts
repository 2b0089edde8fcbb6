import { type JsonSchema, createRecentMap } from "../../shared/index.ts";
import {
  type CompiledSchema,
  type SchemaEngine,
  compileSchema,
  openSchema,
} from "./compile-schema.ts";

const MAX_SCHEMAS = 500;
const NATIVE_PATTERNS = {};

const shared = new WeakMap<object, Map<boolean, SchemaCache>>();

/** Caches compiled schemas by object and, for apps that rebuild their tools, by JSON. */
export interface SchemaCache {
  /** Returns the compiled schema, compiling it if it is new. */
  get(schema: JsonSchema): CompiledSchema;
  /** How many schemas were compiled. */
  readonly compilations: number;
}

/** Creates a cache of at most `maxSchemas` compiled schemas; the least recently used one is evicted. */
export function createSchemaCache(
  engine: SchemaEngine,
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
    const compiled = compileSchema(schema, json, engine);
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

/** Writes a schema as JSON, with its keys in order, because messages follow that order. */
function toJson(schema: JsonSchema): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

/** Returns the cache shared by all contracts with the same engine, so that one built per request stays warm. */
export function sharedSchemaCache(engine: SchemaEngine): SchemaCache {
  const key: object = engine.patternEngine ?? NATIVE_PATTERNS;
  const caches = shared.get(key) ?? new Map<boolean, SchemaCache>();
  const cache = caches.get(engine.interpreter) ?? createSchemaCache(engine);
  shared.set(key, caches.set(engine.interpreter, cache));
  return cache;
}

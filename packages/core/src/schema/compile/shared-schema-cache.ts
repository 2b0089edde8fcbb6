import { compileSchema } from "./compile-schema.ts";
import type { SchemaEngine } from "./compiled-schema.ts";
import { type SchemaCache, createSchemaCache } from "./schema-cache.ts";

const NATIVE_PATTERNS = {};

const shared = new WeakMap<object, Map<boolean, SchemaCache>>();

/** Creates a cache of schemas that are validated and explained as `engine` says. */
export function createCompilingCache(engine: SchemaEngine, maxSchemas?: number): SchemaCache {
  return createSchemaCache((schema, json) => compileSchema(schema, json, engine), maxSchemas);
}

/** Returns the cache shared by all contracts with the same engine, so that one built per request stays warm. */
export function sharedSchemaCache(engine: SchemaEngine): SchemaCache {
  const key: object = engine.patternEngine ?? NATIVE_PATTERNS;
  const caches = shared.get(key) ?? new Map<boolean, SchemaCache>();
  const cache = caches.get(engine.interpreter) ?? createCompilingCache(engine);
  shared.set(key, caches.set(engine.interpreter, cache));
  return cache;
}

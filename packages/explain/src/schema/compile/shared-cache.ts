import type { SchemaEngine } from "./compiled-schema.ts";
import { type SchemaCache, createCompilingCache } from "./schema-cache.ts";

const NONE = {};

const sharedCaches = new WeakMap<object, WeakMap<object, SchemaCache>>();

/** Returns the cache that all users of the same engine share, so that a contract built per request stays warm. */
export function sharedCache({ compileJudge, patternEngine }: SchemaEngine): SchemaCache {
  const byPatterns = sharedCaches.get(compileJudge ?? NONE) ?? new WeakMap<object, SchemaCache>();
  sharedCaches.set(compileJudge ?? NONE, byPatterns);
  const key = patternEngine ?? NONE;
  const cache = byPatterns.get(key) ?? createCompilingCache({ compileJudge, patternEngine });
  byPatterns.set(key, cache);
  return cache;
}

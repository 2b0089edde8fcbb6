import { type PatternEngine, type SchemaCache, createCompilingCache } from "../schema/index.ts";
import { compileAjv } from "./ajv-judge.ts";

/** How a contract validates by JSON Schema. */
export interface SchemaOptions {
  /** Validate by walking the schema, for runtimes that forbid code generation. */
  readonly interpreter: boolean;
  /** Runs patterns instead of the runtime's regular expressions. */
  readonly patternEngine?: PatternEngine | undefined;
}

const NATIVE_PATTERNS = {};

const shared = new WeakMap<object, Map<boolean, SchemaCache>>();

/** Returns the cache shared by all contracts with the same options, so that one built per request stays warm. */
export function sharedSchemaCache(options: SchemaOptions): SchemaCache {
  const { interpreter, patternEngine } = options;
  const key: object = patternEngine ?? NATIVE_PATTERNS;
  const caches = shared.get(key) ?? new Map<boolean, SchemaCache>();
  const cache = caches.get(interpreter) ?? createAjvCache(options);
  shared.set(key, caches.set(interpreter, cache));
  return cache;
}

/** Creates a cache of schemas that ajv judges, unless the options say otherwise. */
export function createAjvCache(
  { interpreter, patternEngine }: SchemaOptions,
  maxSchemas?: number,
): SchemaCache {
  const compileJudge = interpreter ? undefined : compileAjv;
  return createCompilingCache({ compileJudge, patternEngine }, maxSchemas);
}

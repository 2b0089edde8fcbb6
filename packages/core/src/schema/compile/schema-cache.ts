import { type JsonSchema, createRecentMap } from "../../shared/index.ts";
import {
  type CompiledSchema,
  type SchemaEngine,
  compileSchema,
  openSchema,
} from "./compile-schema.ts";
import type { PatternEngine } from "../pattern/index.ts";

const MAX_TEXTS = 500;

/** Compiled schemas, found by the schema object and, where apps rebuild their tools, by its text. */
export interface SchemaCache {
  get(schema: JsonSchema): CompiledSchema;
  /** How many schemas were really compiled. */
  readonly compilations: number;
}

/** Creates a cache of at most `maxTexts` compiled schemas; the least recently used one goes first. */
export function createSchemaCache(engine: SchemaEngine, maxTexts: number = MAX_TEXTS): SchemaCache {
  const byObject = new WeakMap<object, CompiledSchema>();
  const byText = createRecentMap<string, CompiledSchema>(maxTexts);
  let compilations = 0;

  function byItsText(schema: JsonSchema): CompiledSchema {
    const text = textOf(schema);
    if (text === undefined) return openSchema("schema-not-compiled");
    const known = byText.get(text);
    if (known) return known;
    compilations += 1;
    const compiled = compileSchema(schema, text, engine);
    byText.set(text, compiled);
    return compiled;
  }

  return {
    get(schema) {
      if (typeof schema !== "object" || schema === null) return byItsText(schema);
      let compiled = byObject.get(schema);
      if (!compiled) {
        compiled = byItsText(schema);
        byObject.set(schema, compiled);
      }
      return compiled;
    },
    get compilations() {
      return compilations;
    },
  };
}

/** The schema's text as written; the order of keys is kept, because messages follow it. */
function textOf(schema: JsonSchema): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

const shared = new WeakMap<object, Map<boolean, SchemaCache>>();
const NATIVE_PATTERNS = {};

/** The cache that all contracts with the same engine share, so that one rebuilt per request stays warm. */
export function sharedSchemaCache(engine: SchemaEngine): SchemaCache {
  const key: PatternEngine | object = engine.patternEngine ?? NATIVE_PATTERNS;
  const caches = shared.get(key) ?? new Map<boolean, SchemaCache>();
  const cache = caches.get(engine.interpreter) ?? createSchemaCache(engine);
  shared.set(key, caches.set(engine.interpreter, cache));
  return cache;
}

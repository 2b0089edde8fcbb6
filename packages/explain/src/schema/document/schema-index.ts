import { type JsonSchema, isRecord, stringsOf, unescapeKey } from "../../shared/index.ts";

const ROOT = "schema:///root";
const MAX_NODES = 200_000;

/** The keywords that depend on how a place was reached, or on what else was found there. */
const CONTEXTUAL = [
  "$dynamicRef",
  "$recursiveRef",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const;

const DIALECTS: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
  // The newest one, by two names that stand for it.
  [/^https?:\/\/json-schema\.org\/schema#?$/, "2020-12"],
  [/^https:\/\/spec\.openapis\.org\/oas\/3\.1\/dialect\/(?:base|2024-\d\d-\d\d)$/, "2020-12"],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, "2019-09"],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft-06\/schema#?$/, "draft-06"],
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, "draft-04"],
];

const MAPS = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const SINGLES = [
  "not",
  "if",
  "then",
  "else",
  "items",
  "additionalItems",
  "contains",
  "propertyNames",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema",
];

const LISTS_BESIDE = ["allOf", "anyOf", "oneOf"];
const SINGLES_BESIDE = ["not", "if", "then", "else"];
const MAPS_BESIDE = ["dependentSchemas", "dependencies"];

/** The supported dialects of JSON Schema. */
export type Dialect = "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04";

/** A schema with the base URI around it; its own identifier is not applied yet. */
export interface ResolvedSchema {
  readonly schema: unknown;
  readonly base: string;
}

/** Everything in a schema document that a reference or a message may name. */
export interface SchemaIndex {
  readonly root: ResolvedSchema;
  readonly dialect: Dialect;
  /** Returns the target of a reference; undefined if it is outside the document. */
  readonly resolve: (reference: string, base: string) => ResolvedSchema | undefined;
  /** Returns the schema of a resource with this `$dynamicAnchor`. */
  readonly dynamicAnchor: (base: string, name: string) => ResolvedSchema | undefined;
  /** Returns the base URI inside a schema, given the one around it. */
  readonly baseOf: (schema: Readonly<Record<string, unknown>>, outer: string) => string;
  /** Whether the document declares a property of this name anywhere. */
  readonly declares: (name: string) => boolean;
  /** Whether the document has a keyword anywhere. */
  readonly uses: (keyword: (typeof CONTEXTUAL)[number]) => boolean;
  /** Whether several ways may lead to a subschema: what contains it, and references. */
  readonly isShared: (schema: unknown) => boolean;
  /** The references without a target in the document. */
  readonly unresolved: readonly string[];
}

/** Indexes a schema document, so that explaining a fault needs no search. */
export function indexSchema(schema: unknown, dialect: Dialect): SchemaIndex {
  const targets = new Map<string, ResolvedSchema>();
  const dynamic = new Map<string, ResolvedSchema>();
  const names = new Set<string>();
  const used = new Set<string>();
  const references: (readonly [string, string])[] = [];
  const idKeyword = dialect === "draft-04" ? "id" : "$id";

  function baseOf(node: Readonly<Record<string, unknown>>, outer: string): string {
    const id = node[idKeyword];
    if (typeof id !== "string" || id.startsWith("#")) return outer;
    if (refOverrides(dialect) && typeof node["$ref"] === "string") return outer;
    return withoutFragment(resolveUri(id, outer) ?? outer);
  }

  function register(node: Readonly<Record<string, unknown>>, outer: string): string {
    const base = baseOf(node, outer);
    if (base !== outer && !targets.has(base)) targets.set(base, { schema: node, base: outer });
    const id = node[idKeyword];
    const anchors = [
      node["$anchor"],
      node["$dynamicAnchor"],
      typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined,
    ];
    for (const anchor of stringsOf(anchors))
      targets.set(`${base}#${anchor}`, { schema: node, base: outer });
    if (typeof node["$dynamicAnchor"] === "string")
      dynamic.set(`${base}#${node["$dynamicAnchor"]}`, { schema: node, base: outer });
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = node[keyword];
      if (typeof reference === "string") references.push([reference, base]);
    }
    for (const keyword of CONTEXTUAL) if (node[keyword] !== undefined) used.add(keyword);
    if (isRecord(node["properties"]))
      for (const name of Object.keys(node["properties"])) names.add(name);
    for (const name of stringsOf(node["required"])) names.add(name);
    return base;
  }

  const root: ResolvedSchema = { schema, base: ROOT };
  targets.set(ROOT, root);
  const isWhole = visitAll(schema, register);

  function resolve(reference: string, base: string): ResolvedSchema | undefined {
    const uri = reference.startsWith("#")
      ? withoutFragment(base) + reference
      : resolveUri(reference, base);
    if (uri === undefined) return undefined;
    const fragment = uri.includes("#") ? uri.slice(uri.indexOf("#") + 1) : "";
    const resource = targets.get(withoutFragment(uri));
    if (fragment === "") return resource;
    if (!fragment.startsWith("/")) return targets.get(`${withoutFragment(uri)}#${fragment}`);
    return resource && followPointer(resource, fragment, baseOf);
  }

  const unresolved: string[] = [];
  const referred = new Set<unknown>();
  for (const [reference, base] of references) {
    const target = resolve(reference, base);
    if (target) referred.add(target.schema);
    else unresolved.push(reference);
  }
  // Where these lead depends on the way.
  const isDynamic = used.has("$dynamicRef") || used.has("$recursiveRef") || !isWhole;
  return {
    root,
    dialect,
    resolve,
    baseOf,
    unresolved,
    dynamicAnchor: (base, name) => dynamic.get(`${base}#${name}`),
    declares: (name) => names.has(name),
    isShared: (node) => isDynamic || referred.has(node),
    uses: (keyword) => used.has(keyword) || !isWhole,
  };
}

type Register = (node: Readonly<Record<string, unknown>>, outer: string) => string;

/** False if the document has more subschemas than are looked at. */
function visitAll(schema: unknown, register: Register): boolean {
  const seen = new Set<unknown>();
  const pending: ResolvedSchema[] = [{ schema, base: ROOT }];
  for (let next = pending.pop(); next && seen.size < MAX_NODES; next = pending.pop()) {
    if (!isRecord(next.schema) || seen.has(next.schema)) continue;
    seen.add(next.schema);
    const base = register(next.schema, next.base);
    for (const child of subschemas(next.schema)) pending.push({ schema: child, base });
  }
  return pending.length === 0;
}

function followPointer(
  from: ResolvedSchema,
  pointer: string,
  baseOf: SchemaIndex["baseOf"],
): ResolvedSchema | undefined {
  let { schema, base } = from;
  for (const segment of pointer.slice(1).split("/")) {
    const key = decodeSegment(segment);
    if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key)) {
      return undefined;
    }
    // The target's own identifier applies only once the walk enters it.
    if (isRecord(schema)) base = baseOf(schema, base);
    schema = (schema as Readonly<Record<string, unknown>>)[key];
  }
  return { schema, base };
}

function decodeSegment(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // A stray percent sign is literal.
  }
  return unescapeKey(text);
}

function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf("#");
  return hash < 0 ? uri : uri.slice(0, hash);
}

/** Yields the direct subschemas of a schema, by its keywords. */
export function* subschemas(schema: Readonly<Record<string, unknown>>): Generator {
  for (const { holder, key } of subschemaPlaces(schema)) yield holder[key];
}

/** Returns the schemas that apply to the same value as a schema, where they are known: its parts, and what it refers to. */
export function schemasBeside(
  index: SchemaIndex,
  schema: Readonly<Record<string, unknown>>,
  base: string,
): readonly ResolvedSchema[] {
  const { $ref } = schema;
  const target = typeof $ref === "string" ? index.resolve($ref, base) : undefined;
  const referred = target ? [target] : [];
  if (typeof $ref === "string" && refOverrides(index.dialect)) return referred;
  const parts = [
    ...LISTS_BESIDE.flatMap((keyword) => schemasInList(schema[keyword])),
    ...SINGLES_BESIDE.map((keyword) => schema[keyword]),
    ...MAPS_BESIDE.flatMap((keyword) => Object.values(schema[keyword] ?? {})),
  ];
  return [...parts.map((part): ResolvedSchema => ({ schema: part, base })), ...referred];
}

export function schemasInList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Where a subschema is: the object or list that holds it, its key there, and the keys that lead to it. */
export interface SubschemaPlace {
  readonly holder: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly keys: readonly string[];
}

/** Yields the places of the direct subschemas of a schema, by its keywords. */
export function* subschemaPlaces(
  schema: Readonly<Record<string, unknown>>,
): Generator<SubschemaPlace> {
  for (const keyword of MAPS) {
    const holder = schema[keyword];
    if (!isRecord(holder)) continue;
    for (const key of Object.keys(holder)) yield { holder, key, keys: [keyword, key] };
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    const holder = list as unknown as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(list)) yield { holder, key, keys: [keyword, key] };
  }
  for (const keyword of SINGLES)
    if (Object.hasOwn(schema, keyword)) yield { holder: schema, key: keyword, keys: [keyword] };
}

/**
 * Returns the dialects to read a schema in, best first: the declared one, or, if none is declared, the current one and
 * the older ones that generators still use. Empty for an unknown dialect.
 */
export function dialectsOf(schema: JsonSchema): readonly Dialect[] {
  const declared = typeof schema === "boolean" ? undefined : schema["$schema"];
  // Generators write an empty one where they have none.
  if (declared === undefined || declared === null || declared === "")
    return ["2020-12", "draft-07", "draft-04"];
  if (typeof declared !== "string") return [];
  const known = DIALECTS.find(([pattern]) => pattern.test(declared));
  return known ? [known[1]] : [];
}

/** Whether a `$ref` overrides its sibling keywords, as it did up to draft-07. */
export function refOverrides(dialect: Dialect): boolean {
  return dialect === "draft-07" || dialect === "draft-06" || dialect === "draft-04";
}

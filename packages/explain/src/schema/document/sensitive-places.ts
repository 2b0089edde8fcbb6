import type { SecretPlace } from "../../sanitize/index.ts";
import { type SchemaObject, isRecord } from "../../shared/index.ts";
import { type SchemaIndex, type ResolvedSchema, subschemas } from "./schema-index.ts";

const MAX_SCHEMAS = 10_000;
const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLES = ["if", "then", "else", "not", "contentSchema"];
const MAPS = ["dependentSchemas", "dependencies"];

const HIDDEN: SecretPlace = { hidden: true, inside: () => HIDDEN };

type MatchesPattern = (source: string, name: string) => boolean;

/**
 * Finds where a schema puts secrets (`writeOnly`, `format: password`); undefined if it has none.
 *
 * A place is the set of all schemas that can apply there, so references may be circular.
 */
export function sensitivePlaces(
  index: SchemaIndex,
  matchesPattern: MatchesPattern,
): SecretPlace | undefined {
  const leads = new Map<unknown, boolean>();

  function leadsToSecret(node: ResolvedSchema): boolean {
    const known = leads.get(node.schema);
    if (known !== undefined) return known;
    const all = reach(index, [node], (schema) => subschemas(schema));
    // Beyond the limit nothing is certain, so assume a secret.
    const answer = all.length >= MAX_SCHEMAS || all.some(isSecretSchema);
    leads.set(node.schema, answer);
    return answer;
  }

  const elsewhere: SecretPlace = {
    hidden: false,
    isElsewhere: true,
    inside: (segment) => (markedNames().has(String(segment)) ? HIDDEN : elsewhere),
  };
  let names: ReadonlySet<string> | undefined;

  /** The fields that are marked anywhere: a model may send them a level too high or too low. */
  function markedNames(): ReadonlySet<string> {
    names ??= new Set(
      reach(index, [index.root], (schema) => subschemas(schema)).flatMap((node) => {
        const { properties } = node.schema as SchemaObject;
        const base = index.baseOf(node.schema as SchemaObject, node.base);
        return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) =>
          reach(index, [{ schema, base }], applied).some(isSecretSchema) ? [name] : [],
        );
      }),
    );
    return names;
  }

  function placeOf(nodes: readonly ResolvedSchema[]): SecretPlace | undefined {
    const here = reach(index, nodes, applied);
    if (here.some(isSecretSchema)) return HIDDEN;
    if (!here.some(leadsToSecret)) return undefined;
    const at = (name: string): readonly ResolvedSchema[] =>
      here.flatMap((node) => schemasOfEntry(index, node, name, matchesPattern));
    const place: SecretPlace = {
      hidden: false,
      inside(segment) {
        const name = String(segment);
        const entries = at(name);
        if (entries.length > 0) return placeOf(entries) ?? elsewhere;
        // A list around what was wanted, or a member where a list of secrets was.
        if (/^\d+$/.test(name)) return place;
        return placeOf(at("0"))?.hidden === true ? HIDDEN : elsewhere.inside(name);
      },
    };
    return place;
  }

  return placeOf([index.root]);
}

/** Whether a schema marks its values as secrets. */
export function isSensitive(schema: SchemaObject): boolean {
  return schema["writeOnly"] === true || schema["format"] === "password";
}

function isSecretSchema({ schema }: ResolvedSchema): boolean {
  return isRecord(schema) && isSensitive(schema);
}

/** Collects all schemas reachable through `next` and references, each once. */
function reach(
  index: SchemaIndex,
  from: readonly ResolvedSchema[],
  next: (schema: SchemaObject) => Iterable<unknown>,
): readonly ResolvedSchema[] {
  const seen = new Map<unknown, ResolvedSchema>();
  const pending = [...from];
  for (let node = pending.pop(); node && seen.size < MAX_SCHEMAS; node = pending.pop()) {
    const { schema } = node;
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.set(schema, node);
    const base = index.baseOf(schema, node.base);
    for (const other of next(schema)) pending.push({ schema: other, base });
    pending.push(...referencedSchemas(index, schema, base));
  }
  return [...seen.values()];
}

/** Yields the subschemas that apply to the same value. */
function* applied(schema: SchemaObject): Generator {
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) yield* list;
  }
  for (const keyword of SINGLES) yield schema[keyword];
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (isRecord(map)) yield* Object.values(map);
  }
}

/** Returns the targets of references; for a dynamic one all candidates, because which applies depends on the path. */
function referencedSchemas(
  index: SchemaIndex,
  schema: SchemaObject,
  base: string,
): readonly ResolvedSchema[] {
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  const { root, resolve, dynamicAnchor, baseOf } = index;
  const targets: (ResolvedSchema | undefined)[] = [];
  if (typeof $ref === "string") targets.push(resolve($ref, base));
  if (typeof $dynamicRef === "string") {
    const name = $dynamicRef.slice($dynamicRef.indexOf("#") + 1);
    const outer = isRecord(root.schema) ? baseOf(root.schema, root.base) : root.base;
    targets.push(resolve($dynamicRef, base), dynamicAnchor(outer, name));
  }
  if ($recursiveRef === "#") targets.push(resolve("#", base), root);
  return targets.filter((target) => target !== undefined);
}

/** Returns the subschemas that apply to one entry of the value. */
function schemasOfEntry(
  index: SchemaIndex,
  { schema, base: outer }: ResolvedSchema,
  name: string,
  matchesPattern: MatchesPattern,
): readonly ResolvedSchema[] {
  if (!isRecord(schema)) return [];
  const base = index.baseOf(schema, outer);
  const items = /^\d+$/.test(name) ? itemsAt(schema, Number(name)) : [];
  return [...items, ...fieldsAt(schema, name, matchesPattern)]
    .filter((inner) => inner !== undefined)
    .map((inner) => ({ schema: inner, base }));
}

function itemsAt(schema: SchemaObject, position: number): readonly unknown[] {
  const { items, prefixItems, additionalItems, contains, unevaluatedItems } = schema;
  const lists = [prefixItems, items].filter((list) => Array.isArray(list));
  const named = lists.map((list): unknown => list[position]).filter((item) => item !== undefined);
  const rest = named.length > 0 ? [] : [items, additionalItems, unevaluatedItems];
  return [...named, ...rest, contains];
}

function fieldsAt(
  schema: SchemaObject,
  name: string,
  matchesPattern: MatchesPattern,
): readonly unknown[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const named = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const matching = isRecord(patternProperties)
    ? Object.entries(patternProperties).filter(([source]) => matchesPattern(source, name))
    : [];
  const found = [...named, ...matching.map(([, inner]) => inner)];
  return found.length > 0 ? found : [additionalProperties, unevaluatedProperties];
}

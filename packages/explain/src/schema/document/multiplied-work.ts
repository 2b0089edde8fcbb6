import { type SchemaObject, isRecord } from "../../shared/index.ts";
import {
  type ResolvedSchema,
  type SchemaIndex,
  schemasBeside,
  schemasInList,
} from "./schema-index.ts";

/** How often a part of a schema may apply to one place: more ways than these are not a long list but a web. */
const MAX_TIMES = 32;
/** Beyond this work, and this much for each part, the places of a schema are not looked at one by one. */
const MAX_STEPS = 20_000;
const STEPS_PER_PART = 50;

const LISTS_OF_ITEMS = ["prefixItems", "items"];
const REST_OF_ITEMS = ["items", "additionalItems", "unevaluatedItems"];
const REST_OF_FIELDS = ["additionalProperties", "unevaluatedProperties"];

/** A subschema with the parts that apply to the same place because it does. */
interface SchemaPart {
  readonly id: number;
  readonly schema: SchemaObject;
  /** The base URI inside it. */
  readonly base: string;
  beside: readonly SchemaPart[] | undefined;
}

/** The parts that apply to a place, with how often each does. */
type PartsOfPlace = ReadonlyMap<SchemaPart, number>;

/** Thrown when a schema has too many ways, or too many places to be certain. */
class TooManyWays extends Error {}

/**
 * Whether a schema applies a part of itself to one place of a value again and again: `anyOf` with the same reference in
 * each branch, level by level, or a child that two keywords check. All that is inside such a place is then checked as
 * often, and the times multiply.
 *
 * Counted for every place that a value can have: a place is the parts that apply to it, so a recursive schema has a finite
 * number of them. Code without a memory checks the values of any other schema in a time that grows with the value.
 */
export function multipliesWork(index: SchemaIndex): boolean {
  try {
    countWays(index);
    return false;
  } catch (error) {
    if (error instanceof TooManyWays) return true;
    throw error;
  }
}

function countWays(index: SchemaIndex): void {
  const parts = new Map<SchemaObject, SchemaPart>();
  const seen = new Set<string>();
  const open: PartsOfPlace[] = [];
  let steps = 0;

  function spend(most: number): void {
    steps += most;
    if (steps > MAX_STEPS + STEPS_PER_PART * parts.size) throw new TooManyWays();
  }

  function partOf({ schema, base }: ResolvedSchema): SchemaPart | undefined {
    if (!isRecord(schema)) return undefined;
    const inner = index.baseOf(schema, base);
    const known = parts.get(schema);
    // One object in two resources refers to different things.
    if (known && known.base !== inner) throw new TooManyWays();
    const part = known ?? { id: parts.size, schema, base: inner, beside: undefined };
    parts.set(schema, part);
    return part;
  }

  function partsOf(schemas: Iterable<unknown>, { base }: SchemaPart): readonly SchemaPart[] {
    return [...schemas].flatMap((schema) => partOf({ schema, base }) ?? []);
  }

  function besideOf(part: SchemaPart): readonly SchemaPart[] {
    const { schema, base } = part;
    // Where these lead depends on the way.
    if (schema["$dynamicRef"] !== undefined || schema["$recursiveRef"] !== undefined)
      throw new TooManyWays();
    return (part.beside ??= schemasBeside(index, schema, base).flatMap((one) => partOf(one) ?? []));
  }

  /** Adds a place to look into, unless one with the same parts was. */
  function addPlace(first: readonly SchemaPart[]): void {
    const times = new Map<SchemaPart, number>();
    const pending = [...first];
    for (let part = pending.pop(); part; part = pending.pop()) {
      const count = (times.get(part) ?? 0) + 1;
      spend(1);
      if (count > MAX_TIMES) throw new TooManyWays();
      times.set(part, count);
      // One by one: there may be more than a call takes arguments.
      for (const other of besideOf(part)) pending.push(other);
    }
    if (![...times.keys()].some(({ schema }) => leadsInside(schema))) return;
    const key = [...times]
      .map(([{ id }, count]) => `${id}x${count}`)
      .toSorted()
      .join(" ");
    if (seen.has(key)) return;
    seen.add(key);
    open.push(times);
  }

  const root = partOf(index.root);
  if (root) addPlace([root]);
  for (const place of open)
    for (const inner of placesInside(place)) {
      spend(inner.length);
      addPlace(
        inner.flatMap(([part, schemas]) => timesOver(partsOf(schemas, part), place.get(part))),
      );
    }
}

function timesOver(parts: readonly SchemaPart[], times = 1): readonly SchemaPart[] {
  return times === 1 ? parts : Array.from({ length: times }, () => parts).flat();
}

/** The parts of a place with those of their subschemas that apply at a place inside it. */
type SchemasInside = readonly (readonly [part: SchemaPart, schemas: readonly unknown[]])[];

/** Yields what applies at each kind of place inside a place: at each field that is named, any other field, each item. */
function* placesInside(place: PartsOfPlace): Generator<SchemasInside> {
  const parts = [...place.keys()];
  const named = new Map<string, SchemaPart[]>();
  for (const part of parts)
    for (const name of Object.keys(asRecord(part.schema["properties"]))) {
      const others = named.get(name);
      if (others) others.push(part);
      else named.set(name, [part]);
    }
  const open = parts.filter(({ schema }) => takesOtherFields(schema));
  for (const [name, declaring] of named) {
    yield [
      ...declaring.map((part) => [part, [asRecord(part.schema["properties"])[name]]] as const),
      ...open.map((part) => [part, otherFields(part.schema, name)] as const),
    ];
  }
  yield open.map((part) => [part, otherFields(part.schema)] as const);
  yield parts.map((part) => [part, [part.schema["propertyNames"]]] as const);
  const lists = parts.flatMap(({ schema }) =>
    LISTS_OF_ITEMS.map((key) => schemasInList(schema[key])),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let position = 0; position <= longest; position += 1)
    yield parts.map((part) => [part, itemSchemasAt(part.schema, position)] as const);
}

function leadsInside(schema: SchemaObject): boolean {
  const { properties, prefixItems, items, contains, propertyNames } = schema;
  return (
    [properties, prefixItems, items, contains, propertyNames].some((one) => one !== undefined) ||
    takesOtherFields(schema) ||
    REST_OF_ITEMS.some((keyword) => isRecord(schema[keyword]))
  );
}

function takesOtherFields(schema: SchemaObject): boolean {
  return (
    schema["patternProperties"] !== undefined ||
    REST_OF_FIELDS.some((keyword) => isRecord(schema[keyword]))
  );
}

/** The subschemas for a field besides its declaration; patterns may match any name. */
function otherFields(schema: SchemaObject, name?: string): readonly unknown[] {
  const { additionalProperties, unevaluatedProperties, properties } = schema;
  const isDeclared = name !== undefined && Object.hasOwn(asRecord(properties), name);
  return [
    ...membersOf(schema["patternProperties"]),
    ...(isDeclared ? [] : [additionalProperties]),
    unevaluatedProperties,
  ];
}

function itemSchemasAt(schema: SchemaObject, position: number): readonly unknown[] {
  const [named] = LISTS_OF_ITEMS.map((key) => schemasInList(schema[key])[position]).filter(
    (item) => item !== undefined,
  );
  const { contains, unevaluatedItems } = schema;
  return named === undefined
    ? [...REST_OF_ITEMS.map((keyword) => schema[keyword]), contains]
    : [named, contains, unevaluatedItems];
}

function asRecord(value: unknown): SchemaObject {
  return isRecord(value) ? value : {};
}

function membersOf(value: unknown): readonly unknown[] {
  return Object.values(asRecord(value));
}

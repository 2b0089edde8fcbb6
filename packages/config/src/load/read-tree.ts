import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { SchemaObject } from "@toolcontract/core";
import type { Position } from "./config-fault.ts";
import {
  type FileFormat,
  type HeldByKey,
  memberSchema,
  type OwnKeys,
  plainName,
  keysOf,
  pointerOf,
} from "../format/index.ts";
import type { ParsedYaml } from "./parse-yaml.ts";

const MAX_NODES = 10_000;
const MAX_DEPTH = 32;

/** The positions of a key and its value. */
export interface KeyPositions {
  readonly key: Position;
  readonly value: Position;
  /** The key as the file spells it, if it is read as another. */
  readonly written?: string;
}

/** A key that belongs to others. */
interface ForeignKey {
  readonly keys: readonly string[];
  readonly at: Position;
  /** Our keys that the mapping lacks. */
  readonly missing: readonly string[];
  readonly holds: HeldByKey;
}

/** A key that is spelt wrong, and how it is spelt right. */
interface MisspeltKey {
  readonly keys: readonly string[];
  readonly at: Position;
  readonly name: string;
  /** True if the mapping has the right key too. */
  readonly isRepeated: boolean;
}

/** The part of a file that is ours. */
export interface ConfigTree {
  /** The file's value, without the keys that belong to others. */
  readonly value: unknown;
  /** By JSON Pointer. */
  readonly places: ReadonlyMap<string, KeyPositions>;
  /** The keys beside ours. */
  readonly besides: readonly ForeignKey[];
  /** Keys of ours in camelCase, where they may not be. */
  readonly misspelt: readonly MisspeltKey[];
  /** True if reading stopped because aliases repeat too much or the nesting is too deep. */
  readonly isTooLarge: boolean;
}

/** Converts a string in the file to its value; undefined leaves the key out. */
export type ReadString = (
  pointer: string,
  text: string,
  at: Position,
  schema: SchemaObject | undefined,
) => unknown;

/** How a file is read. */
export interface ReadOptions {
  readonly format: Pick<FileFormat, "own" | "schema" | "ownsCamelCase">;
  readonly readString: ReadString;
  /** Whether fixed keys may be in camelCase. */
  readonly camelCase?: boolean;
}

/** What is collected while a file is read. */
interface TreeReading extends ReadOptions {
  readonly parsed: ParsedYaml;
  readonly places: Map<string, KeyPositions>;
  readonly besides: ForeignKey[];
  readonly misspelt: MisspeltKey[];
  nodes: number;
  isTooLarge: boolean;
}

/** Reads our part of a parsed file; aliases are followed, within limits. */
export function readTree(parsed: ParsedYaml, options: ReadOptions): ConfigTree {
  const reading: TreeReading = {
    ...options,
    parsed,
    places: new Map(),
    besides: [],
    misspelt: [],
    nodes: 0,
    isTooLarge: false,
  };
  const { own, schema } = options.format;
  const at = { line: 1, column: 1 };
  const value = readOuter(reading, parsed.contents, own, { keys: [], at, schema });
  const { places, besides, misspelt, isTooLarge } = reading;
  return { value, places, besides, misspelt, isTooLarge };
}

/** Where a mapping with keys of ours is. */
interface OuterSpot {
  readonly keys: readonly string[];
  readonly at: Position;
  readonly schema: SchemaObject | undefined;
}

/** Reads a mapping with keys of ours; the values of other keys are not read. */
function readOuter(
  reading: TreeReading,
  node: unknown,
  own: OwnKeys | true | undefined,
  { keys, at, schema }: OuterSpot,
): unknown {
  const found = withoutAlias(reading, node);
  if (own === undefined || own === true || !isMap(found)) {
    return readValue(reading, node, { pointer: pointerOf(keys), depth: 0, at, schema });
  }
  const names = Object.keys(own);
  const spot = { pointer: pointerOf(keys), depth: 0, at, schema };
  const named = namedPairs(reading, found.items, spot, names);
  const ours = named.filter(({ name }) => names.includes(name));
  const missing = names.filter((key) => !ours.some(({ name }) => name === key));
  for (const { pair, name } of named) {
    if (ours.some((one) => one.name === name)) continue;
    reading.besides.push({
      keys: [...keys, name],
      at: startOfNode(reading, pair.key) ?? at,
      missing,
      holds: heldBy(pair.value),
    });
  }
  const members = ours.map((one) => {
    const { pair, name } = one;
    const inner = [...keys, name];
    const place = notePlace(reading, pointerOf(inner), one, at);
    const deeper = { keys: inner, at: place.value, schema: memberSchema(schema, name) };
    return [name, readOuter(reading, pair.value, own[name], deeper)] as const;
  });
  return Object.fromEntries(members);
}

function heldBy(value: unknown): HeldByKey {
  if (isMap(value)) return { keys: value.items.map(({ key }) => keyText(key)) };
  return isScalar(value) ? { value: value.value } : {};
}

/** A member of a mapping, and the key that it is read as. */
interface NamedPair {
  readonly pair: Pair;
  readonly name: string;
  readonly written?: string;
}

/** Names the members of a mapping; fixed keys in camelCase are renamed in a file that may use them. */
function namedPairs(
  reading: TreeReading,
  pairs: readonly Pair[],
  spot: TreeSpot,
  fixed: readonly string[],
): readonly NamedPair[] {
  const { format, camelCase = false, misspelt } = reading;
  const named = pairs.map((pair) => ({ pair, name: keyText(pair.key) }));
  if (!format.ownsCamelCase) return named;
  const taken = new Set(named.map(({ name }) => name));
  return named.flatMap((one): readonly NamedPair[] => {
    const { pair, name } = one;
    const right = camelCaseOf(name, fixed);
    // A wrong key inside our mappings is found by their schema.
    if (right === undefined || (!camelCase && spot.pointer !== "")) return [one];
    const isRepeated = taken.has(right);
    taken.add(right);
    if (camelCase && !isRepeated) return [{ pair, name: right, written: name }];
    const keys = [...keysOf(spot.pointer), name];
    misspelt.push({ keys, at: startOfNode(reading, pair.key) ?? spot.at, name: right, isRepeated });
    return [];
  });
}

/** The fixed key that this one spells in camelCase. */
function camelCaseOf(name: string, fixed: readonly string[]): string | undefined {
  if (fixed.includes(name) || !/^[a-z]+(?:[A-Z][a-z]*)+$/.test(name)) return undefined;
  return fixed.find((key) => plainName(key) === plainName(name));
}

/** A value's pointer and position. */
interface TreeSpot {
  readonly pointer: string;
  readonly depth: number;
  readonly at: Position;
  readonly schema: SchemaObject | undefined;
}

function readValue(reading: TreeReading, node: unknown, spot: TreeSpot): unknown {
  const { pointer, at, schema } = spot;
  reading.nodes += 1;
  if (reading.nodes > MAX_NODES || spot.depth > MAX_DEPTH) reading.isTooLarge = true;
  if (reading.isTooLarge) return null;
  const found = withoutAlias(reading, node);
  const depth = spot.depth + 1;
  if (isMap(found)) return readMembers(reading, found.items, { pointer, depth, at, schema });
  if (isSeq(found)) {
    return found.items.map((item, index) => {
      const own = startOfNode(reading, item) ?? at;
      const inner = `${pointer}/${index}`;
      reading.places.set(inner, { key: own, value: own });
      const itemSchema = memberSchema(schema, String(index));
      const value = readValue(reading, item, {
        pointer: inner,
        depth,
        at: own,
        schema: itemSchema,
      });
      // The items keep their places.
      return value === undefined ? "" : value;
    });
  }
  if (!isScalar(found)) return null;
  return typeof found.value === "string"
    ? reading.readString(pointer, found.value, at, schema)
    : found.value;
}

function readMembers(reading: TreeReading, pairs: readonly Pair[], spot: TreeSpot): object {
  const fixed = Object.keys(spot.schema?.["properties"] ?? {});
  const members = namedPairs(reading, pairs, spot, fixed).map((one): readonly [string, unknown] => {
    const { pair, name } = one;
    const pointer = spot.pointer + pointerOf([name]);
    const { value: at } = notePlace(reading, pointer, one, spot.at);
    const schema = memberSchema(spot.schema, name);
    return [name, readValue(reading, pair.value, { pointer, depth: spot.depth, at, schema })];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function notePlace(
  reading: TreeReading,
  pointer: string,
  { pair, written }: NamedPair,
  at: Position,
): KeyPositions {
  const key = startOfNode(reading, pair.key) ?? at;
  const value = startOfNode(reading, pair.value) ?? key;
  const place = { key, value, ...(written !== undefined && { written }) };
  reading.places.set(pointer, place);
  return place;
}

function startOfNode({ parsed }: TreeReading, node: unknown): Position | undefined {
  const range = (node as Node | null)?.range;
  return range ? parsed.positionOf(range[0]) : undefined;
}

function withoutAlias({ parsed }: TreeReading, node: unknown): unknown {
  return isAlias(node) ? parsed.resolve(node) : node;
}

function keyText(key: unknown): string {
  if (!isScalar(key)) return "(complex key)";
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

/** The value below these keys, or undefined. */
export function memberAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((holder, key) => {
    const isHolder = typeof holder === "object" && holder !== null && Object.hasOwn(holder, key);
    return isHolder ? (holder as Readonly<Record<string, unknown>>)[key] : undefined;
  }, value);
}

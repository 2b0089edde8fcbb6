import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { Position } from "./config-fault.ts";
import { GUARDRAILS_TREE, pointerOf, TREE } from "../format/index.ts";
import type { ParsedYaml } from "./parse-yaml.ts";

const MAX_NODES = 10_000;
const MAX_DEPTH = 32;

/** The positions of a key and its value. */
export interface Place {
  readonly key: Position;
  readonly value: Position;
}

/** A key that belongs to others. */
interface ForeignKey {
  readonly keys: readonly string[];
  readonly at: Position;
  /** Our keys that the mapping lacks. */
  readonly missing: readonly string[];
}

/** The part of a file that belongs to the contract. */
export interface ConfigTree {
  /** The file's value, without the keys that belong to others. */
  readonly value: unknown;
  /** By JSON Pointer. */
  readonly places: ReadonlyMap<string, Place>;
  /** The keys beside ours, where the file has no more of ours. */
  readonly besides: readonly ForeignKey[];
  /** True if reading stopped because aliases repeat too much or the nesting is too deep. */
  readonly isTooLarge: boolean;
}

/** Converts a string in the file to its value; undefined leaves the key out. */
export type ReadString = (pointer: string, text: string, at: Position) => unknown;

/** What is collected while a file is read. */
interface Reading {
  readonly parsed: ParsedYaml;
  readonly readString: ReadString;
  readonly places: Map<string, Place>;
  besides: readonly ForeignKey[];
  nodes: number;
  isTooLarge: boolean;
}

/** Reads the contract's part of a parsed file; aliases are followed, within limits. */
export function readTree(parsed: ParsedYaml, readString: ReadString): ConfigTree {
  const reading: Reading = {
    parsed,
    readString,
    places: new Map(),
    besides: [],
    nodes: 0,
    isTooLarge: false,
  };
  const value = readOuter(reading, parsed.contents, [], { line: 1, column: 1 });
  const { places, besides, isTooLarge } = reading;
  return { value, places, besides, isTooLarge };
}

/** Our keys, by how deep they are. */
const OWN_KEYS: readonly (readonly string[])[] = [[TREE[0]], [TREE[1], GUARDRAILS_TREE[1]]];

/** Reads a mapping with keys of ours; the values of other keys are not read. */
function readOuter(
  reading: Reading,
  node: unknown,
  keys: readonly string[],
  at: Position,
): unknown {
  const own = OWN_KEYS[keys.length];
  const found = target(reading, node);
  if (own === undefined || !isMap(found)) {
    return readValue(reading, node, { pointer: pointerOf(keys), depth: 0, at });
  }
  const named = found.items.map((pair) => ({ pair, name: keyText(pair.key) }));
  const ours = named.filter(({ name }) => own.includes(name));
  const missing = own.filter((key) => !ours.some(({ name }) => name === key));
  const others = named.filter((one) => !ours.includes(one));
  if (missing.length > 0) {
    reading.besides = others.map(({ pair, name }) => {
      return { keys: [...keys, name], at: startOf(reading, pair.key) ?? at, missing };
    });
  }
  const members = ours.map(({ pair, name }) => {
    const inner = [...keys, name];
    const place = notePlace(reading, pointerOf(inner), pair, at);
    return [name, readOuter(reading, pair.value, inner, place.value)] as const;
  });
  return Object.fromEntries(members);
}

/** A value's pointer and position. */
interface Spot {
  readonly pointer: string;
  readonly depth: number;
  readonly at: Position;
}

function readValue(reading: Reading, node: unknown, spot: Spot): unknown {
  const { pointer, at } = spot;
  reading.nodes += 1;
  if (reading.nodes > MAX_NODES || spot.depth > MAX_DEPTH) reading.isTooLarge = true;
  if (reading.isTooLarge) return null;
  const found = target(reading, node);
  const depth = spot.depth + 1;
  if (isMap(found)) return readMembers(reading, found.items, { pointer, depth, at });
  if (isSeq(found)) {
    return found.items.map((item, index) => {
      const own = startOf(reading, item) ?? at;
      reading.places.set(`${pointer}/${index}`, { key: own, value: own });
      return readValue(reading, item, { pointer: `${pointer}/${index}`, depth, at: own });
    });
  }
  if (!isScalar(found)) return null;
  return typeof found.value === "string"
    ? reading.readString(pointer, found.value, at)
    : found.value;
}

function readMembers(reading: Reading, pairs: readonly Pair[], spot: Spot): object {
  const members = pairs.map((pair): readonly [string, unknown] => {
    const name = keyText(pair.key);
    const pointer = spot.pointer + pointerOf([name]);
    const { value: at } = notePlace(reading, pointer, pair, spot.at);
    return [name, readValue(reading, pair.value, { pointer, depth: spot.depth, at })];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function notePlace(reading: Reading, pointer: string, pair: Pair, at: Position): Place {
  const key = startOf(reading, pair.key) ?? at;
  const place = { key, value: startOf(reading, pair.value) ?? key };
  reading.places.set(pointer, place);
  return place;
}

function startOf({ parsed }: Reading, node: unknown): Position | undefined {
  const range = (node as Node | null)?.range;
  return range ? parsed.positionOf(range[0]) : undefined;
}

function target({ parsed }: Reading, node: unknown): unknown {
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

import type { PathSegment } from "../shared/index.ts";
import { type MaskedText, REDACTED, maskText } from "./mask-text.ts";
import { looksRandom } from "./pointer.ts";
import { isCardNumber } from "./secret-shapes.ts";
import { isHarmless, isHiddenChild } from "./sensitive-name.ts";

/** In a longer array, only the first and the last item are sampled. */
export const MAX_ITEMS = 3;

const MAX_ENTRIES = 5;
const MAX_DEPTH = 2;

/** How much of a string inside an array or object is searched: it has less room. */
const INNER_WINDOW = 512;

/** JSON text up to this length is parsed; longer text is searched as it is. */
const PARSE_LIMIT = 4096;

/** Longer JSON text that may hold a secret is hidden entirely. */
const COVER_LIMIT = 16_384;

/** How many levels of JSON inside JSON strings are followed. */
const LEVELS = 2;

/** Where a schema puts secrets: the value at one place of the arguments is a secret, or holds one. */
export interface SecretPlace {
  /** True if the value itself is the secret. */
  readonly hidden: boolean;
  /** True where the schema puts no secret: only the names that it marks elsewhere are secrets then. */
  readonly isElsewhere?: boolean;
  /** Returns the place of an entry; undefined if it holds no secret. */
  inside(segment: PathSegment): SecretPlace | undefined;
}

/** Follows a path; everything inside a secret is a secret. */
export function secretPlaceAt(
  root: SecretPlace | undefined,
  path: readonly PathSegment[],
): SecretPlace | undefined {
  let place = root;
  for (const segment of path) {
    if (!place || place.hidden) return place;
    place = place.inside(segment);
  }
  return place;
}

/** A bounded sample of a value without its secrets: as much as a preview can show. */
export type MaskedNode =
  | { readonly kind: "hidden" }
  | { readonly kind: "literal"; readonly text: string }
  | ({ readonly kind: "text" } & MaskedText)
  | { readonly kind: "array"; readonly count: number; readonly items: readonly MaskedNode[] }
  | {
      readonly kind: "object";
      readonly entries: readonly MaskedEntry[];
      readonly hasMore: boolean;
    };

type MaskedEntry = readonly [key: MaskedText, value: MaskedNode];

/** Samples any value and masks its secrets. Never throws; what cannot be read becomes `(unreadable)`. */
export function maskValue(value: unknown, place?: SecretPlace): MaskedNode {
  return maskAt(value, 1, place);
}

/** Whether anything in a sample was masked. */
export function isMasked(node: MaskedNode): boolean {
  switch (node.kind) {
    case "hidden":
      return true;
    case "literal":
      return false;
    case "text":
      return node.changed;
    case "array":
      return node.items.some(isMasked);
    case "object":
      return node.entries.some(([key, value]) => key.changed || isMasked(value));
  }
}

function maskAt(value: unknown, depth: number, place: SecretPlace | undefined): MaskedNode {
  try {
    return typeof value === "object" && value !== null
      ? maskContainer(value, depth, place)
      : maskScalar(value, depth, place);
  } catch {
    // A getter or proxy that throws.
    return { kind: "literal", text: "(unreadable)" };
  }
}

function maskContainer(value: object, depth: number, place: SecretPlace | undefined): MaskedNode {
  if (Array.isArray(value)) return maskArray(value, depth, place);
  if (value instanceof Date) return { kind: "literal", text: "(date)" };
  if (ArrayBuffer.isView(value)) return { kind: "literal", text: "(binary)" };
  const keys = firstKeys(value);
  if (depth > MAX_DEPTH && keys.length > 0) return { kind: "literal", text: "{...}" };
  const entries = keys
    .slice(0, MAX_ENTRIES)
    .map((key): MaskedEntry => [maskKey(key), maskChild(value, key, depth, place)]);
  return { kind: "object", entries, hasMore: keys.length > MAX_ENTRIES };
}

function maskArray(
  value: readonly unknown[],
  depth: number,
  place: SecretPlace | undefined,
): MaskedNode {
  const count = value.length;
  if (depth > MAX_DEPTH && count > 0) return { kind: "literal", text: "[...]" };
  const indexes =
    count <= MAX_ITEMS ? Array.from({ length: count }, (_, index) => index) : [0, count - 1];
  return {
    kind: "array",
    count,
    items: indexes.map((index) => maskChild(value, String(index), depth, place)),
  };
}

function maskChild(
  parent: object,
  key: string,
  depth: number,
  around: SecretPlace | undefined,
): MaskedNode {
  try {
    const child: unknown = Reflect.get(parent, key);
    const place = around?.inside(key);
    const isHidden =
      (place?.hidden === true && !isHarmless(child)) || isHiddenChild(parent, key, child);
    return isHidden ? { kind: "hidden" } : maskAt(child, depth + 1, place);
  } catch {
    return { kind: "literal", text: "(unreadable)" };
  }
}

/** Returns one key more than is shown, to know whether there are more, without listing a big object. */
function firstKeys(value: object): readonly string[] {
  const keys: string[] = [];
  for (const key in value) {
    if (Object.hasOwn(value, key)) keys.push(key);
    if (keys.length > MAX_ENTRIES) break;
  }
  return keys;
}

function maskKey(key: string): MaskedText {
  return looksRandom(key)
    ? { text: REDACTED, clipped: false, changed: true }
    : maskText(key, INNER_WINDOW);
}

function maskScalar(value: unknown, depth: number, place: SecretPlace | undefined): MaskedNode {
  switch (typeof value) {
    case "string":
      return { kind: "text", ...maskString(value, depth === 1 ? undefined : INNER_WINDOW, place) };
    case "number":
      return isCardNumber(String(value))
        ? { kind: "hidden" }
        : { kind: "literal", text: String(value) };
    case "boolean":
    case "undefined":
      return { kind: "literal", text: String(value) };
    case "object":
      return { kind: "literal", text: "null" };
    default:
      return { kind: "literal", text: `(${typeof value})` };
  }
}

/** Masks a string; JSON in it is parsed first, so that secrets are found by name. */
function maskString(raw: string, window?: number, place?: SecretPlace): MaskedText {
  const text = hideInJson(place ? coverJson(raw, place) : raw, LEVELS);
  const masked = maskText(text, window);
  return { ...masked, changed: masked.changed || text !== raw };
}

function hideInJson(raw: string, levels: number): string {
  if (levels === 0 || raw.length > PARSE_LIMIT || !/^\s*[[{"]/.test(raw)) return raw;
  let isChanged = false;
  function hide(this: unknown, key: string, value: unknown): unknown {
    if (isHiddenChild(this, key, value)) {
      isChanged = true;
      return REDACTED;
    }
    if (typeof value !== "string") return value;
    const inner = hideInJson(value, levels - 1);
    isChanged ||= inner !== value;
    return inner;
  }
  try {
    const parsed: unknown = JSON.parse(raw, hide);
    return isChanged ? JSON.stringify(parsed) : raw;
  } catch {
    return raw;
  }
}

/**
 * Masks the schema's secrets in a string that was sent where an object or array holding them was wanted.
 *
 * A string that is not JSON is hidden entirely: it may be the secret itself.
 */
function coverJson(raw: string, place: SecretPlace, levels: number = LEVELS): string {
  if (raw === "") return raw;
  const otherwise = place.isElsewhere === true ? raw : REDACTED;
  if (levels === 0 || raw.length > COVER_LIMIT || !/^\s*[[{"]/.test(raw)) return otherwise;
  try {
    const parsed: unknown = JSON.parse(raw);
    const covered = cover(parsed, place, levels);
    return covered === parsed ? raw : JSON.stringify(covered);
  } catch {
    return otherwise;
  }
}

/** Copies a value with its secrets covered; returns the value itself if it holds none. */
function cover(value: unknown, place: SecretPlace, levels: number): unknown {
  if (typeof value === "string") return coverJson(value, place, levels - 1);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]: [string, unknown]) => {
    const inner = place.inside(key);
    if (!inner) return { key, child, covered: child };
    if (inner.hidden) return { key, child, covered: isHarmless(child) ? child : REDACTED };
    return { key, child, covered: cover(child, inner, levels) };
  });
  if (entries.every(({ child, covered }) => child === covered)) return value;
  if (Array.isArray(value)) return entries.map(({ covered }) => covered);
  return Object.fromEntries(entries.map(({ key, covered }) => [key, covered]));
}

import type { PathSegment } from "../shared/index.ts";
import { isHarmless, isHiddenChild } from "./sensitive-name.ts";
import { type MaskedText, REDACTED, maskText } from "./mask-text.ts";
import { looksRandom } from "./pointer.ts";

/** What a schema says of one place of the arguments: that the value there is a secret, or something inside it. */
export interface SecretPlace {
  /** True where the value itself is the secret. */
  readonly hidden: boolean;
  /** The place of one of its entries; undefined where the schema knows of no secret there. */
  inside(segment: PathSegment): SecretPlace | undefined;
}

/** Follows a path; whatever lies inside a secret is one. */
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

/** A bounded sample of a value without its secrets: all that a preview can show of it. */
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

/** A key, masked, and its value. */
type MaskedEntry = readonly [key: MaskedText, value: MaskedNode];

/** An array of up to this many items is sampled whole, else its first and last item. */
export const MAX_ITEMS = 3;

const MAX_ENTRIES = 5;
const MAX_DEPTH = 2;

/** Strings inside containers have less room, so less of them is searched. */
const INNER_WINDOW = 512;

/** Takes a masked sample of any value; what cannot be read becomes a fixed word, and nothing throws. */
export function maskValue(value: unknown, place?: SecretPlace): MaskedNode {
  return maskAt(value, 1, place);
}

function maskAt(value: unknown, depth: number, place: SecretPlace | undefined): MaskedNode {
  try {
    return typeof value === "object" && value !== null
      ? maskContainer(value, depth, place)
      : maskScalar(value, depth, place);
  } catch {
    // A getter or a proxy of the host's: whatever it throws is not ours to tell.
    return { kind: "literal", text: "(unreadable)" };
  }
}

function maskScalar(value: unknown, depth: number, place: SecretPlace | undefined): MaskedNode {
  switch (typeof value) {
    case "string":
      return { kind: "text", ...maskString(value, depth === 1 ? undefined : INNER_WINDOW, place) };
    case "number":
    case "boolean":
    case "undefined":
      return { kind: "literal", text: String(value) };
    case "object":
      return { kind: "literal", text: "null" };
    default:
      return { kind: "literal", text: `(${typeof value})` };
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

/** Tells whether anything in a sample was hidden. */
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

/** One key more than is shown, to know whether there are more; a big object is not listed whole. */
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

/** JSON text up to this size is parsed; longer text is searched as it stands. */
const PARSE_LIMIT = 4096;

/** How many strings deep JSON inside JSON is followed. */
const LEVELS = 2;

/** Masks one string value; JSON in it is parsed first, so that secrets inside are known by their names. */
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

const COVER_LIMIT = 16_384;

/**
 * Hides inside a text what the schema calls a secret, where an object or array that holds one was wanted.
 *
 * Text that cannot be read as JSON is hidden whole: it may well be the secret itself.
 */
function coverJson(raw: string, place: SecretPlace, levels: number = LEVELS): string {
  if (raw === "") return raw;
  if (levels === 0 || raw.length > COVER_LIMIT || !/^\s*[[{"]/.test(raw)) return REDACTED;
  try {
    const parsed: unknown = JSON.parse(raw);
    const covered = cover(parsed, place, levels);
    return covered === parsed ? raw : JSON.stringify(covered);
  } catch {
    return REDACTED;
  }
}

/** A copy in which the secrets are covered; the value itself where it holds none. */
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

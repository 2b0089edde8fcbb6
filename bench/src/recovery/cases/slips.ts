import { isRecord } from "@toolcontract/core/adapter";
import type { CorpusCall } from "../../corpus.ts";
import { childOf, lastKey, parentOf, without, withValue } from "@toolcontract/corrections";
import { ANTONYMS, misspell, oppositeName } from "./names.ts";
import type { Random } from "./random.ts";
import { typeOfValue, typesOf } from "../../schema.ts";
import { type Site, wordsForTypes } from "./sites.ts";
import words from "./words.json" with { type: "json" };

/** One fault put into a valid call at a site, with what a good message says about it. */
export interface Fault extends Omit<Site, "variantTypes" | "depth"> {
  readonly kind:
    | "type"
    | "missing"
    | "enum"
    | "unknown"
    | "misspelt"
    | "limit"
    | "pattern"
    | "format"
    | "duplicate";
  /** What is sent there instead of the site's value; undefined if nothing is. */
  readonly sent?: unknown;
  /** Other places it may be reported at, where nothing is sent: the right key for a misspelt one. */
  readonly also: readonly string[];
  /** What a message must contain to give the fix: one string of each group. */
  readonly fix: readonly (readonly string[])[];
  /** The intended name or value, if the slip is a near miss of it. */
  readonly near?: string;
  /** The value means something else, so every did-you-mean is wrong. */
  readonly foreign?: true;
}

/** Puts a fault into arguments. */
export function putFault(args: unknown, { pointer, also, sent }: Fault): CorpusCall["args"] {
  const rest = [...also, ...(sent === undefined ? [pointer] : [])].reduce(without, args);
  return (sent === undefined ? rest : withValue(rest, pointer, sent)) as CorpusCall["args"];
}

/** One way to spoil a place of a valid call; undefined if it cannot happen there. */
export type MakeSlip = (site: Site, random: Random) => Fault | undefined;

/** A kind of slip; `tail` leaves out everything from a field on. */
export type SlipKind = keyof typeof words.slips;

/** Draws a kind of slip with the frequency of real models: the weights are percentages measured on their calls. */
export function drawKind(random: Random): SlipKind {
  return random.weighted(words.slips);
}

const formats: Readonly<Record<string, readonly string[]>> = words.formats;

/** What models send instead of each type, about as often as they send it. */
const WRONG_TYPE: Readonly<Record<string, (value: unknown, random: Random) => unknown>> = {
  integer(value, random) {
    const way = random.weighted({ text: 18, word: 5, null: 5, float: 5, array: 3 });
    if (way === "text") return String(value);
    if (way === "float") return Number(value) + 0.5;
    if (way === "array") return [value];
    return way === "null" ? null : random.pick(["rw", "many", "max", "five"]);
  },
  number(value, random) {
    const way = random.weighted({ text: 5, word: 2, null: 1, unit: 1 });
    if (way === "text") return String(value);
    if (way === "unit") return `${String(value)} km`;
    return way === "null" ? null : random.pick(["high", "N/A", "auto"]);
  },
  boolean: (value, random) =>
    random.pick([String(value), value === true ? "yes" : "no", value === true ? 1 : 0]),
  array(value, random) {
    const list = value as readonly unknown[];
    const [first] = list;
    const isPlain = typeof first === "string" || typeof first === "number";
    // The first item of a list of lists is a list too: nobody could tell which level is missing.
    const bare = Array.isArray(first) ? 0 : 5;
    const way = random.weighted({ json: 4, joined: isPlain ? 3 : 0, first: bare, empty: 1 });
    if (way === "json") return JSON.stringify(value);
    if (way === "joined") return list.join(", ");
    return way === "first" ? first : {};
  },
  object: (value, random) =>
    random.pick([JSON.stringify(value), [value], "default", JSON.stringify(value)]),
  string(value, random) {
    const way = random.weighted({ array: 5, object: 2, null: 3, number: 2, boolean: 1 });
    if (way === "array") return [value];
    if (way === "object") return { value };
    if (way === "number") return 10 + random.below(90);
    return way === "null" ? null : random.pick([true, false]);
  },
};

const MAX_SENT_LENGTH = 5_000;

/** A value just beyond each limit; undefined if there is none. */
const BEYOND: Readonly<Record<string, (limit: number, value: unknown) => unknown>> = {
  maximum: (limit, value) => (Number(value) > limit ? undefined : limit + 7),
  minimum: (limit) => limit - 1,
  exclusiveMinimum: (limit) => limit,
  exclusiveMaximum: (limit) => limit,
  maxLength: (limit) => (limit < MAX_SENT_LENGTH ? "x".repeat(limit + 1) : undefined),
  minLength: (limit) => (limit > 0 ? "x".repeat(limit - 1) : undefined),
  maxItems: (limit, value) =>
    Array.isArray(value) && value.length > 0 && limit < 100
      ? Array.from({ length: limit + 1 }, (_, index) => value[index % value.length] as unknown)
      : undefined,
  minItems: (limit, value) =>
    Array.isArray(value) && limit > 0 ? (value.slice(0, limit - 1) as unknown) : undefined,
};

/** Every slip that changes a single place. */
export const SLIPS: Readonly<Record<Exclude<SlipKind, "tail">, MakeSlip>> = {
  type(site, random) {
    const [wanted] = typesOf(site.schema);
    if (wanted === undefined || site.pointer === "") return undefined;
    const sent = WRONG_TYPE[wanted]?.(site.value, random);
    // The type of another variant means another variant, not a wrong type.
    if (sent === undefined || site.variantTypes.includes(typeOfValue(sent))) return undefined;
    const fix = [[...wordsForTypes(site.schema, sent), ...shortLiteral(site)]];
    return faultAt(site, { kind: "type", sent, fix });
  },
  missing(site) {
    if (site.optional || site.siblings.length === 0) return undefined;
    const named = [...wordsForTypes(site.schema), ...shortLiteral(site)];
    const fix = typesOf(site.schema).length > 0 ? [named] : [];
    return faultAt(site, { kind: "missing", fix });
  },
  /** Half of them are near misses, half mean something else. */
  enum(site, random) {
    const values = "const" in site.schema ? [site.schema["const"]] : site.schema["enum"];
    if (!Array.isArray(values) || typeof site.value !== "string") return undefined;
    const golden = site.value;
    const isNear = random.next() < 0.5;
    const foreign = ANTONYMS[golden.toLowerCase()] ?? random.pick(["other", "auto", "standard"]);
    const sent = isNear ? misspell(golden, random, "value") : foreign;
    if (values.includes(sent)) return undefined;
    const fix = [[JSON.stringify(golden), golden]];
    return faultAt(site, { kind: "enum", sent, fix, ...(isNear && { near: golden }) });
  },
  /** In an open object this is a fault only if the field is required. */
  misspelt(site, random) {
    const key = lastKey(site.pointer);
    if (key === undefined || site.siblings.length === 0) return undefined;
    const wrong = misspell(key, random, "key");
    if (site.siblings.includes(wrong)) return undefined;
    const pointer = childOf(parentOf(site.pointer), wrong);
    const named = [...wordsForTypes(site.schema), ...shortLiteral(site), `to "${key}"`];
    return faultAt(site, {
      kind: "misspelt",
      pointer,
      sent: site.value,
      also: [site.pointer],
      fix: [[key], ...(site.optional ? [] : [named])],
      near: key,
    });
  },
  /** Many of these keys look like a declared one but mean something else. */
  unknown(site, random) {
    if (!isRecord(site.value) || site.schema["additionalProperties"] !== false) return undefined;
    const siblings = isRecord(site.schema["properties"])
      ? Object.keys(site.schema["properties"])
      : [];
    const opposites = siblings
      .flatMap((name) => oppositeName(name) ?? [])
      .filter((name) => !siblings.includes(name));
    const key =
      opposites.length > 0 && random.next() < 0.6
        ? random.pick(opposites)
        : random.pick(words.inventedKeys);
    if (siblings.includes(key)) return undefined;
    const pointer = childOf(site.pointer, key);
    const sent = random.pick([true, 5, "yes", null]);
    return faultAt(site, { kind: "unknown", pointer, sent, fix: [words.unknownKey], siblings });
  },
  limit(site, random) {
    const ways = Object.entries(BEYOND).flatMap(([keyword, beyond]) => {
      const limit = site.schema[keyword];
      const sent = typeof limit === "number" ? beyond(limit, site.value) : undefined;
      return sent === undefined ? [] : [{ limit, sent }];
    });
    if (ways.length === 0) return undefined;
    const { limit, sent } = random.pick(ways);
    return faultAt(site, { kind: "limit", sent, fix: [[String(limit)]] });
  },
  shape(site, random) {
    const { pattern, format } = site.schema;
    if (typeof site.value !== "string") return undefined;
    if (typeof pattern === "string") {
      const fix = [[pattern, new RegExp(pattern, "u").source]];
      return faultAt(site, { kind: "pattern", sent: "not of that shape!", fix });
    }
    const named = typeof format === "string" ? formats[format] : undefined;
    if (named === undefined) return undefined;
    const sent = random.pick(["tomorrow", "n/a", "see above"]);
    return faultAt(site, { kind: "format", sent, fix: [named] });
  },
  duplicate(site) {
    if (site.schema["uniqueItems"] !== true || !Array.isArray(site.value)) return undefined;
    const items = site.value as readonly unknown[];
    if (items.length === 0) return undefined;
    const fix = [["duplicate", "unique", "distinct", "different", "same"]];
    return faultAt(site, { kind: "duplicate", sent: [...items, items[0]], fix });
  },
};

function faultAt(site: Site, own: Pick<Fault, "kind" | "fix"> & Partial<Fault>): Fault {
  return { also: [], ...site, ...own };
}

/** The valid value as JSON, unless it is too long to expect in a message. */
function shortLiteral({ value }: Site): readonly string[] {
  const literal = JSON.stringify(value);
  return literal.length < 60 ? [literal] : [];
}

import { childOf, isRecord, lastKey, parentOf } from "../json.ts";
import { ANTONYMS, misspell, oppositeName } from "./names.ts";
import type { Random } from "./random.ts";
import { typeOfValue, typesOf, wordsForTypes } from "./schema.ts";
import type { Site } from "./sites.ts";
import type { Edit, Fault } from "./spoilt-call.ts";
import { BEYOND, FORMAT_WORDS, INVENTED_KEYS, WRONG_TYPE } from "./wrong-values.ts";

/** One way to spoil a place of a valid call; undefined if it cannot happen there. */
export type MakeSlip = (site: Site, random: Random) => Slip | undefined;

/** An edit and the fault that it causes. */
interface Slip {
  readonly edit: Edit;
  readonly fault: Fault;
}

/** How often each slip happens, in percent: measured on invalid calls of real models. */
const MIX = {
  type: 60,
  missing: 12,
  tail: 5,
  enum: 8,
  misspelt: 4,
  unknown: 4,
  limit: 3,
  shape: 2,
  duplicate: 1,
} as const;

/** A kind of slip; `tail` leaves out everything from a field on. */
export type SlipKind = keyof typeof MIX;

/** Draws a kind of slip with the frequency of real models. */
export function drawKind(random: Random): SlipKind {
  return random.weighted(MIX);
}

/** Words that reject a key. */
export const UNKNOWN_WORDS: readonly string[] = [
  "unknown",
  "unrecognized",
  "additional",
  "unexpected",
  "not in the list",
  "not allowed",
];

/** Every slip that changes a single place. */
export const SLIPS: Readonly<Record<Exclude<SlipKind, "tail">, MakeSlip>> = {
  type(site, random) {
    const [wanted] = typesOf(site.schema);
    if (wanted === undefined || site.pointer === "") return undefined;
    const sent = WRONG_TYPE[wanted]?.(site.value, random);
    // The type of another variant means another variant, not a wrong type.
    if (sent === undefined || site.variantTypes.includes(typeOfValue(sent))) return undefined;
    return replaced(site, sent, {
      kind: "type",
      fix: [[...wordsForTypes(site.schema, sent), ...shortLiteral(site)]],
    });
  },
  missing(site) {
    if (site.optional || site.siblings.length === 0) return undefined;
    const words = [...wordsForTypes(site.schema), ...shortLiteral(site)];
    const fix = typesOf(site.schema).length > 0 ? [words] : [];
    const edit = { remove: [site.pointer], set: [] };
    return { edit, fault: faultAt(site, { kind: "missing", fix }) };
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
    return replaced(site, sent, { kind: "enum", fix, ...(isNear && { near: golden }) });
  },
  /** In an open object this is a fault only if the field is required. */
  misspelt(site, random) {
    const key = lastKey(site.pointer);
    if (key === undefined || site.siblings.length === 0) return undefined;
    const wrong = misspell(key, random, "key");
    if (site.siblings.includes(wrong)) return undefined;
    const pointer = childOf(parentOf(site.pointer), wrong);
    const words = [...wordsForTypes(site.schema), ...shortLiteral(site), `to "${key}"`];
    return {
      edit: { remove: [site.pointer], set: [[pointer, site.value]] },
      fault: faultAt(site, {
        kind: "misspelt",
        pointer,
        also: [site.pointer],
        fix: [[key], ...(site.optional ? [] : [words])],
        near: key,
        undo: { remove: [pointer], set: [[site.pointer, site.value]] },
      }),
    };
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
        : random.pick(INVENTED_KEYS);
    if (siblings.includes(key)) return undefined;
    const pointer = childOf(site.pointer, key);
    const undo = { remove: [pointer], set: [] };
    return {
      edit: { remove: [], set: [[pointer, random.pick([true, 5, "yes", null])]] },
      fault: faultAt(site, { kind: "unknown", pointer, fix: [UNKNOWN_WORDS], siblings, undo }),
    };
  },
  limit(site, random) {
    const ways = Object.entries(BEYOND).flatMap(([keyword, beyond]) => {
      const limit = site.schema[keyword];
      const sent = typeof limit === "number" ? beyond(limit, site.value) : undefined;
      return sent === undefined ? [] : [{ limit, sent }];
    });
    if (ways.length === 0) return undefined;
    const { limit, sent } = random.pick(ways);
    return replaced(site, sent, { kind: "limit", fix: [[String(limit)]] });
  },
  shape(site, random) {
    const { pattern, format } = site.schema;
    if (typeof site.value !== "string") return undefined;
    if (typeof pattern === "string") {
      const fix = [[pattern, new RegExp(pattern, "u").source]];
      return replaced(site, "not of that shape!", { kind: "pattern", fix });
    }
    const words = typeof format === "string" ? FORMAT_WORDS[format] : undefined;
    if (words === undefined) return undefined;
    const sent = random.pick(["tomorrow", "n/a", "see above"]);
    return replaced(site, sent, { kind: "format", fix: [words] });
  },
  duplicate(site) {
    if (site.schema["uniqueItems"] !== true || !Array.isArray(site.value)) return undefined;
    const items = site.value as readonly unknown[];
    if (items.length === 0) return undefined;
    const fix = [["duplicate", "unique", "distinct", "different", "same"]];
    return replaced(site, [...items, items[0]], { kind: "duplicate", fix });
  },
};

function replaced(site: Site, sent: unknown, fault: Parameters<typeof faultAt>[1]): Slip {
  return { edit: { remove: [], set: [[site.pointer, sent]] }, fault: faultAt(site, fault) };
}

function faultAt(
  { pointer, schema, optional, siblings, inUnion, value }: Site,
  own: Pick<Fault, "kind" | "fix"> & Partial<Fault>,
): Fault {
  const undo = { remove: [], set: [[pointer, value]] as const };
  return { pointer, also: [], schema, optional, siblings, inUnion, undo, ...own };
}

/** The valid value as JSON, unless it is too long to expect in a message. */
function shortLiteral({ value }: Site): readonly string[] {
  const literal = JSON.stringify(value);
  return literal.length < 60 ? [literal] : [];
}

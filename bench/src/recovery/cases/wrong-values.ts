import type { Random } from "./random.ts";

/** Keys that models invent. */
export const INVENTED_KEYS: readonly string[] =
  "reasoning explanation timeout_ms dry_run verbose confirm lang note metadata request_id extra".split(
    " ",
  );

/** What models send instead of each type, about as often as they send it. */
export const WRONG_TYPE: Readonly<Record<string, (value: unknown, random: Random) => unknown>> = {
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
export const BEYOND: Readonly<Record<string, (limit: number, value: unknown) => unknown>> = {
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

/** Words that say which format is expected; any one of them will do. */
export const FORMAT_WORDS: Readonly<Record<string, readonly string[]>> = {
  date: ["date", "ISO date", "YYYY-MM-DD"],
  "date-time": ["date-time", "datetime", "ISO datetime", "ISO 8601"],
  email: ["email"],
  uri: ["uri", "url"],
  uuid: ["uuid"],
};

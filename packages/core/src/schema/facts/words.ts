import type { SchemaObject } from "../../shared/index.ts";

const MAX_LISTED = 50;
/** Beside a hint that names one of them, so many are listed whole, or the first few and a count. */
const BESIDE_HINT = { whole: 12, few: 5 };
const NOT_PLAIN = /^$|^(?:and|or|not|with|of|one|only|any|more)$|[\s,;()[\]{}]/;

/** A count with its unit: `1 item`, `2 items`. */
export function plural(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}

/** Values as a model may send them; a single one stands for itself. */
export function listValues(values: readonly unknown[], isHinted: boolean = false): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => JSON.stringify(value) ?? "null");
  if (values.length === 1) return shown.join("");
  return `one of ${listed(shown, values.length, isHinted)}`;
}

/** Names, separated by commas. */
export function listNames(names: readonly string[], isHinted: boolean = false): string {
  return listed(names.slice(0, MAX_LISTED).map(plainName), names.length, isHinted);
}

/** Texts as they are, separated by commas. */
export function listTexts(texts: readonly string[]): string {
  return listed(texts.slice(0, MAX_LISTED), texts.length, false);
}

function listed(texts: readonly string[], count: number, isHinted: boolean): string {
  const shown = isHinted && count > BESIDE_HINT.whole ? texts.slice(0, BESIDE_HINT.few) : texts;
  const hidden = count - shown.length;
  return shown.join(", ") + (hidden > 0 ? ` and ${hidden} more` : "");
}

/** A name as it is, in quotes where it would read as a word of the sentence around it. */
export function plainName(name: string): string {
  return NOT_PLAIN.test(name) ? JSON.stringify(name) : name;
}

/** Several ways to satisfy a schema, as one phrase. */
export function alternatives(texts: readonly string[]): string {
  const unique = [...new Set(texts)];
  return unique.length > 6
    ? `${unique.slice(0, 6).join(" or ")} or ${unique.length - 6} others`
    : unique.join(" or ");
}

/** What a model reads about what it need not or must not send. */
export const LEAVE_OUT = "leave it out";

/** The limits of a number, as they follow its type: `from 0 to 511`; empty where it has none. */
export function numberRange(schema: SchemaObject): string {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const minimum = bound(schema["minimum"]);
  const maximum = bound(schema["maximum"]);
  const above = exclusiveMinimum === true ? minimum : bound(exclusiveMinimum);
  const below = exclusiveMaximum === true ? maximum : bound(exclusiveMaximum);
  if (above === undefined && below === undefined) return range(minimum, maximum);
  const low = above === undefined ? range(minimum, undefined) : `above ${above}`;
  const high = below === undefined ? range(undefined, maximum) : `below ${below}`;
  return [low, high].filter((part) => part !== "").join(" and ");
}

/** A limit that says something: generators write the safe integers' limits where there is none. */
export function bound(limit: unknown): number | undefined {
  return typeof limit === "number" && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined;
}

function range(minimum: unknown, maximum: unknown): string {
  const hasMinimum = typeof minimum === "number";
  const hasMaximum = typeof maximum === "number";
  if (hasMinimum && hasMaximum) return `from ${minimum} to ${maximum}`;
  if (hasMinimum) return `at least ${minimum}`;
  return hasMaximum ? `at most ${maximum}` : "";
}

/** The limits of a length, as they follow a kind: `, at most 3 items`; empty where there are none. */
export function measured(minimum: unknown, maximum: unknown, unit: string): string {
  const text = range(minimum === 0 && maximum !== undefined ? undefined : minimum, bound(maximum));
  if (text === "") return "";
  return `, ${text} ${text.endsWith(" 1") ? unit : `${unit}s`}`;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  time: "09:30:00Z",
  duration: "P3DT4H",
  email: "ana@example.com",
  uri: "https://example.com/page",
  url: "https://example.com/page",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  hostname: "example.com",
  e164: "+4915112345678",
  cidrv4: "10.0.0.0/8",
};

/** The formats whose name says all to a model. */
const PLAIN = new Set(["uuid"]);

/** What zod writes as formats: its checks of a text, which come with a pattern that says all. */
const CHECKS = new Set(["starts_with", "ends_with", "includes", "lowercase", "uppercase"]);

/** Tells whether a text of the format holds at least one character, so that nobody needs to say so. */
export function isNeverEmpty(format: string): boolean {
  return PLAIN.has(format) || Object.hasOwn(EXAMPLES, format);
}

/** What a string format asks for, with an example where one says more than the name. */
export function describeFormat(format: string): string {
  if (format === "regex") return "regular expression string";
  if (format === "password" || CHECKS.has(format)) return "string";
  if (PLAIN.has(format)) return `${format} string`;
  const example = Object.hasOwn(EXAMPLES, format) ? EXAMPLES[format] : undefined;
  return example === undefined
    ? `string in ${format} format`
    : `${format} string such as "${example}"`;
}

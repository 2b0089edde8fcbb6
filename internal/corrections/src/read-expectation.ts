import { parseOr } from "./parse-or.ts";

/** What a message says a tool accepts at a place. */
export interface Expectation {
  readonly values: readonly unknown[];
  /** The types it names, the main one first. */
  readonly types: readonly string[];
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Limits of a string's length or an array's item count. */
  readonly shortest?: number | undefined;
  readonly longest?: number | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly example?: string | undefined;
  /** The value to send if no other is meant. */
  readonly usual?: unknown;
  /** The keys that an object must have. */
  readonly keys: readonly string[];
  /** What the items of an array are. */
  readonly items?: Expectation | undefined;
}

const LITERAL = /"(?:[^"\\]|\\.)*"|(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])|\b(?:true|false|null)\b/g;
const TYPES: readonly (readonly [type: string, words: RegExp])[] = [
  ["array", /\b(?:array|list|tuple)\b/],
  ["object", /\b(?:object|record)\b/],
  ["integer", /\b(?:integer|int)\b/],
  ["number", /\bnumber\b/],
  ["boolean", /\bboolean\b/],
  ["string", /\bstring\b/],
  ["null", /\bnull\b/],
];

/** Reads what is expected from a complaint's words, in the phrases of any library. */
export function readExpectation(all: string): Expectation {
  const part = expectedPart(all);
  const words = withoutNote(part);
  const usual = USUAL.exec(part)?.[1];
  const own = words.replace(/(array) of .*$/, "$1").replace(/(object) of .*$/, "$1");
  const choice = /(?:one of:?|options:?|expected) (?=["\d]|true|false)(.*)/.exec(own)?.[1];
  const values = (choice === undefined ? [] : literalsIn(choice)).concat(onlyLiteral(own));
  const plain = withoutTexts(words);
  const limits = withoutTexts(own + countIn(words));
  const isLength = /item|element/.test(limits) || /character|length|string to have/.test(limits);
  const low = numberIn(limits, LOW);
  const high = numberIn(limits, HIGH);
  const pattern = /(?:matching|pattern) "?\/?(.+?)\/?"?$/m.exec(words)?.[1];
  const example = /such as "([^"]*)"/.exec(words)?.[1];
  const items = /array of (.*)$/.exec(plain)?.[1];
  return {
    values,
    ...(usual !== undefined && { usual: parseOr(usual, undefined) }),
    types: typesIn(withoutTexts(own)),
    minimum: isLength ? undefined : low,
    maximum: isLength ? undefined : high,
    shortest: isLength ? low : undefined,
    longest: isLength ? high : undefined,
    format: FORMATS.find((name) => formatWords(name).test(words)),
    pattern,
    example,
    keys: keysIn(words, plain),
    items: items === undefined ? undefined : readExpectation(items),
  };
}

/** The words after "Expected:", or else those before what was received. */
function expectedPart(words: string): string {
  const own =
    /^Expected: (.*)$/m.exec(words)?.[1] ?? /(?:^|; )expected (.*?)(?=; |$)/.exec(words)?.[1];
  if (own !== undefined) return own;
  return words.replace(/,? (?:received|got|but it was|but it has) .*$/, "");
}

/** A value that a message says is usual, after what is expected. */
const USUAL = /, usually ("(?:[^"\\]|\\.)*"|[[{].*?[\]}]|[^\s"]+)(?= \(|$)/;
const TYPE_WORDS = "(?:any value|string|number|integer|boolean|array|object|null| of | or )+";
const DESCRIBED = new RegExp(`^(${TYPE_WORDS}) \\(.*\\)$`);

/** What an author says of a field is not a form that a value must have. */
function withoutNote(words: string): string {
  const plain = words.replace(USUAL, "");
  return DESCRIBED.exec(plain)?.[1] ?? plain;
}

/** A string in JSON, as part of a pattern. */
export const QUOTED: string = String.raw`"(?:[^"\\]|\\.)*"`;
/** The description in a labelled line, or in the part of a compact line that ends before the next one. */
const DESCRIBED_LINE = new RegExp(`^(Expected: ${TYPE_WORDS}(?:, usually .*?)?) \\(.*\\)$`, "m");
const DESCRIBED_PART = new RegExp(
  `((?:^|; )expected ${TYPE_WORDS}(?:, usually (?:${QUOTED}|[^";])+?)?) \\((?:${QUOTED}|[^"])*?\\)(?=; |$)`,
);

/** A complaint without what an author says of its field, which may read like advice. */
export function withoutDescription(words: string): string {
  return words.replace(DESCRIBED_LINE, "$1").replace(DESCRIBED_PART, "$1");
}

function withoutTexts(words: string): string {
  return words.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** An array's item count, which follows the description of the items. */
function countIn(words: string): string {
  return /, [^,]* items?$/.exec(words)?.[0] ?? "";
}

function onlyLiteral(words: string): readonly unknown[] {
  const alone =
    /^(?:Invalid input: expected |must be equal to constant )?("(?:[^"\\]|\\.)*")$/.exec(words);
  return alone?.[1] === undefined ? [] : literalsIn(alone[1]);
}

function literalsIn(text: string): readonly unknown[] {
  const parsed = [...text.matchAll(LITERAL)].map(([literal]) => parseOr(literal, undefined));
  return parsed.filter((value) => value !== undefined);
}

function typesIn(plain: string): readonly string[] {
  const found = TYPES.map(([type, pattern]) => [type, pattern.exec(plain)?.index] as const);
  return found
    .filter((entry): entry is readonly [string, number] => entry[1] !== undefined)
    .toSorted((a, b) => a[1] - b[1])
    .map(([type]) => type);
}

const NUMBER = "(-?\\d+(?:\\.\\d+)?)";
/** Two equal limits are written as one number. */
const EXACT = `, ${NUMBER} (?:item|character)s?(?![\\w ])`;
const LOW = [
  EXACT,
  `at least ${NUMBER}`,
  `from ${NUMBER} to`,
  `>=? ?${NUMBER}`,
  `above ${NUMBER}`,
  `fewer than ${NUMBER}`,
  `${NUMBER} (?:characters|items) or more`,
  `greater than (?:or equal to )?${NUMBER}`,
];
const HIGH = [
  EXACT,
  `at most ${NUMBER}`,
  `from -?[\\d.]+ to ${NUMBER}`,
  `<=? ?${NUMBER}`,
  `more than ${NUMBER}`,
  `${NUMBER} (?:characters|items) or (?:less|fewer)`,
  `less than (?:or equal to )?${NUMBER}`,
];

function numberIn(plain: string, phrases: readonly string[]): number | undefined {
  for (const phrase of phrases) {
    const found = new RegExp(phrase).exec(plain)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}

const FORMATS = ["date-time", "date", "email", "uri", "uuid", "time", "ipv4", "hostname"] as const;

function formatWords(name: string): RegExp {
  if (name === "date-time") return /date-time|ISO datetime/i;
  if (name === "date") return /^date string|ISO date$|format "date"|valid date string/i;
  if (name === "uri") return /\buri\b|\burl\b/i;
  return new RegExp(`^${name}|format "${name}"|invalid ${name}|valid ${name}`, "i");
}

/** An object's keys; for variants that differ by a key, the first. */
function keysIn(words: string, plain: string): readonly string[] {
  const [, first] = /^([\w-]+)(?: or [\w-]+)+$/.exec(words) ?? [];
  if (first !== undefined && typesIn(words).length === 0) return [first];
  const list = /object with ([^;\n]*?)(?=,? or |$)/.exec(plain)?.[1] ?? "";
  return list.split(/, | or | and \d+ more/).filter((name) => /^\S+$/.test(name));
}

import { remembered } from "../../shared/index.ts";
import { isPrintableAscii } from "../../sanitize/index.ts";

const MAX_LENGTH = 64;
const MAX_CANDIDATES = 500;

/** How far a candidate is from a name; undefined where it is not near. */
type Measure = (name: NameWords, other: NameWords, of: Meaning) => number | undefined;

/** What names are of: a field's name tells the kind of its value, so there `id` is a word that says much. */
type Meaning = "fields" | "values";

interface NameWords {
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** The words, the stems and the stems written out, each without anything between them. */
  readonly letters: string;
  readonly stemLetters: string;
  readonly longLetters: string;
  readonly digits: string;
}

/** Near in this order: but for case, separators and accents, for plurals, for usual abbreviations, for a word that says nothing, cut short, but for slips. */
const MEASURES: readonly Measure[] = [
  (name, other) => (name.letters === other.letters ? 0 : undefined),
  (name, other) => (name.stemLetters === other.stemLetters ? 0 : undefined),
  (name, other) => (name.longLetters === other.longLetters ? 0 : undefined),
  (name, other, of) => (hasFiller(name.stems, other.stems, of === "fields") ? 0 : undefined),
  (name, other) => {
    const areWords = name.words.length === 1 && other.words.length === 1;
    return areWords && isCutShort(name.letters, other.letters) ? 0 : undefined;
  },
  (name, other) =>
    // A number is never a slip of another.
    name.digits === other.digits ? slipsBetween(name.words, other.words) : undefined,
];

/** The one candidate that a name was surely meant to be; undefined where none or several are equally near. */
export function nearest(
  name: string,
  candidates: readonly string[],
  of: Meaning = "fields",
): string | undefined {
  if (name.length > MAX_LENGTH || name === "") return undefined;
  // Maybe a value, and no value is kept.
  const sent = toNameWords(name);
  if (sent.words.length === 0) return undefined;
  const pool = candidates.slice(0, MAX_CANDIDATES).filter((candidate) => {
    return candidate !== name && candidate !== "" && candidate.length <= MAX_LENGTH;
  });
  for (const measure of MEASURES) {
    let best: string | undefined;
    let shortest = Number.POSITIVE_INFINITY;
    let isTied = false;
    for (const candidate of pool) {
      const other = readName(candidate);
      const distance = other.words.length === 0 ? undefined : measure(sent, other, of);
      if (distance === undefined || distance > shortest) continue;
      isTied = distance === shortest;
      best = candidate;
      shortest = distance;
    }
    if (best !== undefined) return isTied ? undefined : best;
  }
  return undefined;
}

function toNameWords(name: string): NameWords {
  const words = wordsOf(name);
  const stems = stemsOf(words);
  const digits = name.replaceAll(/\D+/g, " ").trim();
  return {
    words,
    stems,
    digits,
    letters: words.join(""),
    stemLetters: stems.join(""),
    longLetters: stems.map(longForm).join(""),
  };
}

const readName: (name: string) => NameWords = remembered(toNameWords);

// The same for names in ASCII, in less time.
const ASCII_GAPS = /[^A-Za-z0-9]+/;
const TRANSCRIBED: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
const GAPS = /[^\p{L}\p{N}]+/u;

/** The words of a name in lower case, however they are joined: `maxResults`, `max_results`, `max-results`. */
function wordsOf(name: string): readonly string[] {
  const lower = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  const words = isPrintableAscii(name)
    ? lower.split(ASCII_GAPS)
    : withoutAccents(lower).split(GAPS);
  return words.filter((word) => word !== "");
}

/** As people write without the keys for them: `groesse` for `größe`, `telefono` for `teléfono`. */
function withoutAccents(lower: string): string {
  return lower
    .replaceAll(/[äöüß]/g, (letter) => TRANSCRIBED[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "");
}

/** Tells whether one name is the other cut short: `descr` for `description`. */
function isCutShort(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  // Shorter beginnings are those of too many words: `temp` may be a template.
  return short.length > 4 && long.length >= 2 * short.length && long.startsWith(short);
}

/** The words without the endings of plurals. */
function stemsOf(words: readonly string[]): readonly string[] {
  return words.map(stemOf);
}

function stemOf(word: string): string {
  // A protocol of its own, not several of the other.
  if (word === "https" || word.endsWith("ss")) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:x|s|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 2 && word.endsWith("s") ? word.slice(0, -1) : word;
}

const VOWELS = "aeiouy";
/** Below this length a letter more or less makes another word (`scale`, `sale`). */
const SHORT = 5;
/** From this length on a whole name leaves no doubt where one of its words alone would. */
const WHOLE = 7;
/** From this length on two slips in one word still leave no doubt. */
const LONG = 8;

/**
 * How many slips lie between two names: letters swapped, doubled, dropped, added, or a vowel taken for another.
 *
 * Undefined where the difference may as well be meant: words of other letters or another beginning are other words.
 */
function slipsBetween(a: readonly string[], b: readonly string[]): number | undefined {
  return (a.length === b.length ? slipsByWord(a, b) : undefined) ?? slipsInAll(a, b);
}

function slipsByWord(a: readonly string[], b: readonly string[]): number | undefined {
  let slips = 0;
  for (const [index, word] of a.entries()) {
    const found = slipsInWord(word, b[index] ?? "");
    if (found === undefined) return undefined;
    slips += found;
  }
  return slips <= 2 ? slips : undefined;
}

/** Names that were divided otherwise, or long ones with a letter less in a short word (`st_replace`). */
function slipsInAll(a: readonly string[], b: readonly string[]): number | undefined {
  const [one, other] = [a.join(""), b.join("")];
  if (a.length !== b.length) return slipsInWord(one, other);
  const isClose = one.length !== other.length && Math.min(one.length, other.length) >= WHOLE;
  // A letter beside a number is part of a version: `gpt-4`, `gpt-4o`.
  return isClose && !/\d/.test(one) ? slipsInWord(one, other) : undefined;
}

function slipsInWord(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  if (shorter.length < 3 || longer.length - shorter.length > 2) return undefined;
  const start = commonStart(longer, shorter);
  const end = commonEnd(longer, shorter, start);
  const more = longer.slice(start, longer.length - end);
  const less = shorter.slice(start, shorter.length - end);
  if (isSlip(more, less, { longer, shorter, start })) return 1;
  return isTwoSlips(more, less, { shorter, start }) ? 2 : undefined;
}

interface Place {
  readonly longer: string;
  readonly shorter: string;
  readonly start: number;
}

/** `more` and `less` are what is left of two words without what they have in common at both ends. */
function isSlip(more: string, less: string, { longer, shorter, start }: Place): boolean {
  if (more.length === 2 && less.length === 2)
    return isSwap(more, less) && (start > 0 || longer.length > 3);
  if (more.length === 1 && less.length === 1) {
    const areVowels = VOWELS.includes(more) && VOWELS.includes(less);
    // The last one makes another word: `quote`, `quota`.
    const isLast = start === longer.length - 1 && longer.length < LONG;
    return areVowels && start > 0 && !isLast && longer.length > 3;
  }
  if (more.length !== 1 || less.length > 0) return false;
  const isDoubled = longer[start - 1] === more || longer[start + 1] === more;
  if (isDoubled || start === 0 || shorter.length >= SHORT) return isDoubled || start > 0;
  // Deep inside even a consonant leaves no doubt: `waer` for `water`.
  if (start > 1 && start < longer.length - 1 && shorter.length > 3) return true;
  // `scop` for `scope`, `pth` for `path`: no other word comes of a vowel that is left out there.
  return VOWELS.includes(more) && (shorter.length > 3 || !/[aeiouy]/.test(shorter));
}

/** Two slips that stand apart: never two letters for two others, nor a piece of two letters more. */
function isTwoSlips(
  more: string,
  less: string,
  { shorter, start }: Pick<Place, "shorter" | "start">,
): boolean {
  if (shorter.length < LONG || start < 2 || less.length < 2) return false;
  return leavesOneSlip(more.slice(1), less) || leavesOneSlip(more, less.slice(1));
}

/** What is left after one letter was dropped must be one more drop or swap at its end. */
function leavesOneSlip(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  if (longer.length - shorter.length > 1) return false;
  const start = commonStart(longer, shorter);
  const end = commonEnd(longer, shorter, start);
  const more = longer.slice(start, longer.length - end);
  const less = shorter.slice(start, shorter.length - end);
  return isSwap(more, less) || (more.length === 1 && less.length === 0);
}

function isSwap(a: string, b: string): boolean {
  return a.length === 2 && a[0] === b[1] && a[1] === b[0];
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: string, b: string, from: number): number {
  let length = 0;
  const most = b.length - from;
  while (length < most && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}

type Words = readonly string[];

/** Words that models put before or after a name without meaning another thing by it. */
const FILLERS = new Set(
  (
    "the a my your this target given input param parameter arg argument field value name id key " +
    "file folder dir directory user repo repository project issue document item object " +
    "text string number num list array data url uri address query search"
  ).split(" "),
);

/** Words that say what kind of value a name wants: one without them may mean another kind. */
const KINDS = new Set(["id", "url", "uri", "key"]);

/** Tells whether two names are equal but for one more word, at the begin or the end of either, that says little. */
function hasFiller(sent: Words, wanted: Words, ofKinds: boolean): boolean {
  const ofSent = extraWord(sent, wanted);
  if (ofSent !== undefined) return FILLERS.has(ofSent);
  const ofWanted = extraWord(wanted, sent);
  return ofWanted !== undefined && FILLERS.has(ofWanted) && !(ofKinds && KINDS.has(ofWanted));
}

/** The one word that a name has more than another, at its begin or its end. */
function extraWord(longer: Words, shorter: Words): string | undefined {
  if (longer.length === 1 && shorter.length === 1)
    return gluedWord(longer[0] ?? "", shorter[0] ?? "");
  if (longer.length !== shorter.length + 1 || shorter.join("").length < 3) return undefined;
  if (shorter.every((word, index) => word === longer[index + 1])) return longer[0];
  return shorter.every((word, index) => word === longer[index]) ? longer.at(-1) : undefined;
}

/** `filepath` for `path`: the words stand together without a sign between them. */
function gluedWord(long: string, short: string): string | undefined {
  // A letter in front makes another word: `async` for `sync`.
  if (short.length < 3 || long.length < short.length + 2) return undefined;
  if (long.endsWith(short)) return long.slice(0, -short.length);
  return long.startsWith(short) ? long.slice(short.length) : undefined;
}

/** Words that are written short in as many names as they are written out, each list one word. */
const SAME_WORDS =
  "address addr, amount amt, application app, argument arg, ascending asc, attribute attr, average avg, " +
  "background bg, boolean bool, button btn, category cat, certificate cert, character char, column col, command cmd, " +
  "configuration config cfg conf, coordinate coord, currency ccy, database db, delete del, department dept, " +
  "description descending desc, destination dest dst, development dev, dictionary dict, directory dir, " +
  "document doc, environment env, error err, expression expr, extension ext, format fmt, frequency freq, " +
  "function func fn, image img, index idx, information info, integer int, language lang, latitude lat, length len, " +
  "library lib, location loc, longitude lon lng, maximum max, message msg, minimum min, number num nr, object obj, " +
  "option opt, organization organisation org, package pkg, parameter param, password passwd pwd, " +
  "percentage percent pct, picture pic, position pos, previous prev, priority prio, production prod, " +
  "property prop, quantity qty, reference ref, repository repo, request req, response resp, source src, " +
  "specification spec, string str, temperature temp, temporary tmp, text txt, timestamp ts, timezone tz, " +
  "transaction txn tx, value val, variable var, version ver, volume vol, weight wt, " +
  "monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, saturday sat, sunday sun, " +
  "january jan, february feb, april apr, june jun, july jul, august aug, september sep sept, october oct, " +
  "november nov, december dec";

const LONG_FORMS: ReadonlyMap<string, string> = new Map(
  SAME_WORDS.split(", ").flatMap((list) => {
    const [long = "", ...short] = list.split(" ");
    return short.map((word) => [word, long] as const);
  }),
);

/** The word written out where it is a usual abbreviation, else the word. */
export function longForm(word: string): string {
  return LONG_FORMS.get(word) ?? word;
}

import { isPrintableAscii } from "../../sanitize/index.ts";
import { remembered } from "../../shared/index.ts";

const MAX_LENGTH = 64;
const MAX_CANDIDATES = 500;

const SEPARATORS = /[^\p{L}\p{N}]+/u;
// The same for ASCII names, and faster.
const ASCII_SEPARATORS = /[^A-Za-z0-9]+/;
const TRANSCRIBED: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

const VOWELS = "aeiouy";
/** Consonants that are written for each other (`celcius`). */
const SOUNDS = ["cs", "ck", "sz", "gj", "kq", "dt", "bp", "mn"];
/** In shorter words, one more or less letter makes another word (`scale`, `sale`). */
const SHORT = 5;
/** From this length on, a whole name leaves no doubt, even if one of its words alone does. */
const WHOLE = 7;
/** From this length on, even two typos in one word leave no doubt. */
const LONG = 8;

/** Words that models put before or after a name without changing its meaning. */
const FILLERS = new Set(
  (
    "the a my your this target given input param parameter arg argument field value name id key " +
    "file folder dir directory user repo repository project issue document item object " +
    "text string number num list array data url uri address query search"
  ).split(" "),
);

/** Words that say what a field's value is: a name without them may mean another value. */
const KINDS = new Set(["id", "url", "uri", "key"]);

/** Common words, each followed by its abbreviations. */
const SAME_WORDS =
  "address addr, amount amt, application app, argument arg, ascending asc, attribute attr, average avg, " +
  "background bg, boolean bool, bottom bot, button btn, category cat, certificate cert, character char, column col, command cmd, " +
  "configuration config cfg conf, coordinate coord, currency ccy, database db, delete del, department dept, " +
  "description descending desc, destination dest dst, development dev, dictionary dict, directory dir, " +
  "document doc, environment env, error err, expression expr, extension ext, format fmt, frequency freq, " +
  "function func fn, image img, index idx, information info, integer int, language lang, latitude lat, length len, " +
  "library lib, location loc, longitude lon lng, maximum max, message msg, middle mid, minimum min, number num nr, object obj, " +
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

/**
 * Tried in order; the first that finds a candidate decides: the same letters, ignoring case, separators and accents;
 * plurals; abbreviations; filler words; a prefix; typos.
 */
const MEASURES: readonly MeasureNames[] = [
  (name, other) => (name.letters === other.letters ? 0 : undefined),
  (name, other) => (name.stemLetters === other.stemLetters ? 0 : undefined),
  (name, other) => (name.longLetters === other.longLetters ? 0 : undefined),
  (name, other, of) => (differByFiller(name.stems, other.stems, of) ? 0 : undefined),
  (name, other) => {
    const areWords = name.words.length === 1 && other.words.length === 1;
    return areWords && isPrefix(name.letters, other.letters) ? 0 : undefined;
  },
  (name, other) =>
    // A different number is never a typo.
    name.digits === other.digits ? typosBetween(name.words, other.words) : undefined,
];

const readName: (name: string) => NameWords = remembered(toNameWords);

/** Returns how far a candidate is from a name; undefined if it is not near. */
type MeasureNames = (name: NameWords, other: NameWords, of: NameKind) => number | undefined;

/** What is named: in the name of a field, a word such as `id` says what its value is. */
type NameKind = "fields" | "values";

interface NameWords {
  readonly words: Words;
  readonly stems: Words;
  /** The words, the stems and the stems with abbreviations written out, each joined without separators. */
  readonly letters: string;
  readonly stemLetters: string;
  readonly longLetters: string;
  readonly digits: string;
}

/** Two words, and where they begin to differ. */
interface NamePair {
  readonly longer: string;
  readonly shorter: string;
  readonly start: number;
}

type Words = readonly string[];

/** Finds the candidate that a name was surely meant to be; undefined if there is none, or several are equally near. */
export function nearest(
  name: string,
  candidates: readonly string[],
  of: NameKind = "fields",
): string | undefined {
  const [best, ...others] = nearestNames(name, candidates, of);
  return others.length === 0 ? best : undefined;
}

/** Whether a name may stand for one of the candidates: it is near one, or all words of one are in the other. */
export function mayMean(name: string, candidates: readonly string[]): boolean {
  if (nearestNames(name, candidates).length > 0) return true;
  if (name.length > MAX_LENGTH) return false;
  // What was not looked at may be meant.
  if (candidates.length > MAX_CANDIDATES) return true;
  const { stems } = toNameWords(name);
  return candidates.some((candidate) => {
    const other = readName(candidate).stems;
    const [short, long] = stems.length < other.length ? [stems, other] : [other, stems];
    return short.length > 0 && short.every((word) => long.includes(word));
  });
}

/** Finds the candidates that a name may have been meant to be: one, none, or several that are equally near. */
function nearestNames(
  name: string,
  candidates: readonly string[],
  of: NameKind = "fields",
): readonly string[] {
  if (name.length > MAX_LENGTH || name === "") return [];
  // Not `readName`: the name may be a value, and values are not cached.
  const sent = toNameWords(name);
  if (sent.words.length === 0) return [];
  // Of a longer list only the same letters count: a neighbour in a part of it is not the nearest one.
  if (candidates.length > MAX_CANDIDATES)
    return (lettersIn(candidates).get(sent.letters) ?? []).filter((one) => one !== name);
  const pool = candidates.filter(
    (candidate) => candidate !== name && candidate !== "" && candidate.length <= MAX_LENGTH,
  );
  for (const measure of MEASURES) {
    let best: string[] = [];
    let shortest = Number.POSITIVE_INFINITY;
    for (const candidate of pool) {
      const other = readName(candidate);
      const distance = other.words.length === 0 ? undefined : measure(sent, other, of);
      if (distance === undefined || distance > shortest) continue;
      best = distance === shortest ? [...best, candidate] : [candidate];
      shortest = distance;
    }
    if (best.length > 0) return best;
  }
  return [];
}

const longLists = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** The names of a long list by their letters, ignoring case, separators and accents. */
function lettersIn(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = longLists.get(names);
  if (known) return known;
  const found = new Map<string, string[]>();
  for (const name of names) {
    if (name.length > MAX_LENGTH) continue;
    const letters = wordsOf(name).join("");
    const alike = found.get(letters);
    if (alike) alike.push(name);
    else found.set(letters, [name]);
  }
  longLists.set(names, found);
  return found;
}

function toNameWords(name: string): NameWords {
  const words = wordsOf(name);
  const stems = words.map(stemOf);
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

/** Splits a name into words in lower case: `maxResults`, `max_results` and `max-results` are the same. */
export function wordsOf(name: string): Words {
  const lower = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  const words = isPrintableAscii(name)
    ? lower.split(ASCII_SEPARATORS)
    : withoutAccents(lower).split(SEPARATORS);
  return words.filter((word) => word !== "");
}

/** Replaces accented letters by what people type without such keys: `groesse` for `größe`, `telefono` for `teléfono`. */
function withoutAccents(lower: string): string {
  return lower
    .replaceAll(/[äöüß]/g, (letter) => TRANSCRIBED[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "");
}

/** Drops the ending of a plural. */
export function stemOf(word: string): string {
  // `https` is not the plural of `http`.
  if (word === "https" || word.endsWith("ss")) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:x|s|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 2 && word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Writes an abbreviation out; returns any other word as it is. */
export function longForm(word: string): string {
  return LONG_FORMS.get(word) ?? word;
}

/** Whether two names differ only by a filler word at the beginning or end of one. */
function differByFiller(sent: Words, wanted: Words, of: NameKind): boolean {
  const ofSent = extraWord(sent, wanted);
  if (ofSent !== undefined) return FILLERS.has(ofSent);
  const ofWanted = extraWord(wanted, sent);
  return (
    ofWanted !== undefined && FILLERS.has(ofWanted) && !(of === "fields" && KINDS.has(ofWanted))
  );
}

/** Returns the word that one name has in addition, at its beginning or end. */
function extraWord(longer: Words, shorter: Words): string | undefined {
  if (longer.length === 1 && shorter.length === 1)
    return gluedWord(longer[0] ?? "", shorter[0] ?? "");
  if (longer.length !== shorter.length + 1 || shorter.join("").length < 3) return undefined;
  if (shorter.every((word, index) => word === longer[index + 1])) return longer[0];
  return shorter.every((word, index) => word === longer[index]) ? longer.at(-1) : undefined;
}

/** Returns the additional word of a joined one: `file` for `filepath` and `path`. */
function gluedWord(long: string, short: string): string | undefined {
  // One more letter makes another word: `async`, `sync`.
  if (short.length < 3 || long.length < short.length + 2) return undefined;
  if (long.endsWith(short)) return long.slice(0, -short.length);
  return long.startsWith(short) ? long.slice(short.length) : undefined;
}

/** Whether one name is the beginning of the other: `descr` for `description`. */
function isPrefix(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  // Shorter prefixes begin too many words: `temp` may be a template.
  return short.length > 4 && long.length >= 2 * short.length && long.startsWith(short);
}

/**
 * Counts the typos between two names: letters swapped, doubled, dropped or added, or one vowel for another.
 *
 * Undefined if the difference may be intended, as between words that begin differently.
 */
function typosBetween(a: Words, b: Words): number | undefined {
  return (a.length === b.length ? typosByWord(a, b) : undefined) ?? typosInAll(a, b);
}

function typosByWord(a: Words, b: Words): number | undefined {
  let typos = 0;
  for (const [index, word] of a.entries()) {
    const found = typosInWord(word, b[index] ?? "");
    if (found === undefined) return undefined;
    typos += found;
  }
  return typos <= 2 ? typos : undefined;
}

/** Counts the typos of names that are split differently, or of long ones that lack a letter (`st_replace`). */
function typosInAll(a: Words, b: Words): number | undefined {
  const [one, other] = [a.join(""), b.join("")];
  if (a.length !== b.length) return typosInWord(one, other);
  // A letter beside a number may be part of a version: `gpt-4`, `gpt-4o`.
  if (Math.min(one.length, other.length) < WHOLE || /\d/.test(one)) return undefined;
  // Letters may be swapped across words (`dueaDte`), but of two words of one letter each is another.
  return one.length !== other.length || isSwapped(one, other) ? typosInWord(one, other) : undefined;
}

function typosInWord(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  if (shorter.length < 3 || longer.length - shorter.length > 2) return undefined;
  const start = commonStart(longer, shorter);
  const end = commonEnd(longer, shorter, start);
  const more = longer.slice(start, longer.length - end);
  const less = shorter.slice(start, shorter.length - end);
  if (isTypo(more, less, { longer, shorter, start })) return 1;
  return areTwoTypos(more, less, { shorter, start }) ? 2 : undefined;
}

/** Whether one typo explains `more` and `less`, the parts of two words between their common beginning and end. */
function isTypo(more: string, less: string, { longer, shorter, start }: NamePair): boolean {
  if (more.length === 2 && less.length === 2)
    return isSwap(more, less) && (start > 0 || longer.length > 3);
  if (more.length === 1 && less.length === 1) {
    const soundAlike = SOUNDS.some((pair) => pair.includes(more) && pair.includes(less));
    if (soundAlike) return start > 0 && longer.length >= SHORT;
    const areVowels = VOWELS.includes(more) && VOWELS.includes(less);
    // Another last vowel makes another word: `quote`, `quota`.
    const isLast = start === longer.length - 1 && longer.length < LONG;
    return areVowels && start > 0 && !isLast && longer.length > 3;
  }
  if (more.length !== 1 || less.length > 0) return false;
  // In a doubled letter, the second counts as the extra one.
  const isDoubled = longer[start - 1] === more;
  if (isDoubled || start === 0 || shorter.length >= SHORT) return isDoubled || start > 0;
  // Inside a word, even a dropped consonant leaves no doubt: `waer` for `water`.
  if (start > 1 && start < longer.length - 1 && shorter.length > 3) return true;
  // `scop` for `scope`, `pth` for `path`: dropping such a vowel makes no other word.
  return VOWELS.includes(more) && (shorter.length > 3 || !/[aeiouy]/.test(shorter));
}

/** Whether two separate typos explain the difference; two replaced or two added letters in a row do not count. */
function areTwoTypos(
  more: string,
  less: string,
  { shorter, start }: Pick<NamePair, "shorter" | "start">,
): boolean {
  if (shorter.length < LONG || start < 2 || less.length < 2) return false;
  return leavesOneTypo(more.slice(1), less) || leavesOneTypo(more, less.slice(1));
}

/** Whether one dropped letter or one swap at the end is left. */
function leavesOneTypo(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  if (longer.length - shorter.length > 1) return false;
  const start = commonStart(longer, shorter);
  const end = commonEnd(longer, shorter, start);
  const more = longer.slice(start, longer.length - end);
  const less = shorter.slice(start, shorter.length - end);
  return isSwap(more, less) || (more.length === 1 && less.length === 0);
}

/** Whether two letters next to each other are swapped, and nothing else differs. */
function isSwapped(a: string, b: string): boolean {
  const start = commonStart(a, b);
  return (
    isSwap(a.slice(start, start + 2), b.slice(start, start + 2)) &&
    a.slice(start + 2) === b.slice(start + 2)
  );
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

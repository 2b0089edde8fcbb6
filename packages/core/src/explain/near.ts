import { longForm } from "./abbreviations.ts";
import { hasFiller } from "./filler-words.ts";
import { isCutShort, stemsOf, wordsOf } from "./name-words.ts";
import { remembered } from "../remembered.ts";
import { slipsBetween } from "./slip.ts";

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

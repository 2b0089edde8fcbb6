import { hasFiller } from "./filler-words.ts";
import { isAbbreviation, stemsOf, wordsOf } from "./name-words.ts";
import { remembered } from "../remembered.ts";
import { slipsBetween } from "./slip.ts";

const MAX_LENGTH = 64;
const MAX_CANDIDATES = 500;

/** How far a candidate is from a name; undefined where it is not near. */
type Measure = (name: NameWords, other: NameWords) => number | undefined;

interface NameWords {
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly digits: string;
}

/** Near in this order: but for case and separators, but for plurals, but for a word that says nothing, cut short, but for slips. */
const MEASURES: readonly Measure[] = [
  (name, other) => (name.words.join("") === other.words.join("") ? 0 : undefined),
  (name, other) => (name.stems.join("") === other.stems.join("") ? 0 : undefined),
  (name, other) => (hasFiller(name.stems, other.stems) ? 0 : undefined),
  (name, other) => {
    const areWords = name.words.length === 1 && other.words.length === 1;
    return areWords && isAbbreviation(name.words, other.words) ? 0 : undefined;
  },
  (name, other) =>
    // A number is never a slip of another.
    name.digits === other.digits ? slipsBetween(name.words, other.words) : undefined,
];

/** The one candidate that a name was surely meant to be; undefined where none or several are equally near. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH || name === "") return undefined;
  const sent = readName(name);
  if (sent.words.length === 0) return undefined;
  const pool = candidates
    .slice(0, MAX_CANDIDATES)
    .filter((candidate) => candidate !== name && candidate.length <= MAX_LENGTH)
    .map((candidate) => ({ candidate, read: readName(candidate) }))
    .filter(({ read }) => read.words.length > 0);
  for (const measure of MEASURES) {
    const found = pool.flatMap(({ candidate, read }) => {
      const distance = measure(sent, read);
      return distance === undefined ? [] : [{ candidate, distance }];
    });
    if (found.length === 0) continue;
    const shortest = Math.min(...found.map(({ distance }) => distance));
    const best = found.filter(({ distance }) => distance === shortest);
    return best.length === 1 ? best[0]?.candidate : undefined;
  }
  return undefined;
}

const readName: (name: string) => NameWords = remembered((name) => {
  const words = wordsOf(name);
  return { words, stems: stemsOf(words), digits: name.replaceAll(/\D+/g, " ").trim() };
});

import { restrains } from "./restrains.ts";
import { mayMean, wordsOf } from "./near-name.ts";

/** From this length on, two wrong letters leave a name recognisable. */
const LONG = 7;
/** A shorter name is the end of many: `id`, `url`. */
const LEAST = 4;

/**
 * Whether a name is surely meant for the one that is missing: it has one word more, before or after it, or is the end of
 * it (`names` for `stationNames`), or a letter or two are wrong.
 *
 * This is certain only while that field is missing and nothing else stands for it; see `nearest` for all other names.
 */
export function standsFor(sent: string, missing: string): boolean {
  const [words, wanted] = [wordsOf(sent), wordsOf(missing)];
  if (wanted.length === 0) return false;
  const differing = [...words, ...wanted].filter(
    (word) => words.includes(word) !== wanted.includes(word),
  );
  if (differing.some(restrains)) return false;
  const hasMore =
    words.length > wanted.length &&
    (isAt(words, wanted, words.length - wanted.length) || isAt(words, wanted, 0));
  // A word of one letter is a label: `dataset_a`, `dataset_b`.
  const isLabelled = words.some(
    (word, index) => word.length === 1 && wanted[index]?.length === 1 && word !== wanted[index],
  );
  const isEnd =
    words.length > 0 &&
    words.length < wanted.length &&
    words.join("").length >= LEAST &&
    isAt(wanted, words, wanted.length - words.length);
  return hasMore || isEnd || (!isLabelled && isSlip(words.join(""), wanted.join("")));
}

/** Whether a name resembles one of the candidates, so that it is hardly made up. */
export function resembles(name: string, candidates: readonly string[]): boolean {
  const letters = wordsOf(name).join("");
  return (
    mayMean(name, candidates) ||
    candidates.some((candidate) => {
      const other = wordsOf(candidate).join("");
      return Math.min(letters.length, other.length) > 2 && editDistance(letters, other, 2) <= 2;
    })
  );
}

function isAt(words: readonly string[], part: readonly string[], start: number): boolean {
  return part.every((word, index) => words[start + index] === word);
}

function isSlip(sent: string, missing: string): boolean {
  // A different number is never a slip.
  if (sent.replaceAll(/\D+/g, " ") !== missing.replaceAll(/\D+/g, " ")) return false;
  // Words that begin differently are different words: `height`, `weight`.
  if (sent[0] !== missing[0] && sent[0] !== missing[1]) return false;
  const shorter = Math.min(sent.length, missing.length);
  const most = shorter >= LONG ? 2 : 1;
  return shorter > 1 && editDistance(sent, missing, most) <= most;
}

/** Counts the letters to drop, add, replace or swap with the next; any number above `most` means more. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + cost,
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

const MAX_LENGTH = 64;
const MAX_CANDIDATES = 500;

/**
 * The one candidate that a name was surely meant to be; undefined where none or several are near.
 *
 * Near means, in this order: equal but for case, separators and plural; equal but for one more word
 * at either end; one letter apart (two from six letters on), neighbours swapped counting as one.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH || name === "") return undefined;
  const words = wordsOf(name);
  const pool = candidates
    .slice(0, MAX_CANDIDATES)
    .filter((candidate) => candidate !== name && candidate.length <= MAX_LENGTH)
    .map((candidate) => ({ candidate, words: wordsOf(candidate) }));
  const measures: readonly ((other: readonly string[]) => boolean)[] = [
    (other) => other.join("") === words.join(""),
    (other) => hasAffix(words, other) || hasAffix(other, words),
    (other) => isTypo(words.join(""), other.join("")),
  ];
  for (const isNear of measures) {
    const found = pool.filter((entry) => entry.words.length > 0 && isNear(entry.words));
    if (found.length > 0) return found.length === 1 ? found[0]?.candidate : undefined;
  }
  return undefined;
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) =>
      word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word,
    );
}

function hasAffix(longer: readonly string[], shorter: readonly string[]): boolean {
  if (longer.length === 1 && shorter.length === 1)
    return isGlued(longer.join(""), shorter.join(""));
  if (longer.length !== shorter.length + 1 || shorter.join("").length < 3) return false;
  const text = shorter.join(" ");
  return longer.slice(1).join(" ") === text || longer.slice(0, -1).join(" ") === text;
}

/** `filepath` for `path`: the words stand together without a sign between them. */
function isGlued(longer: string, shorter: string): boolean {
  const extra = longer.length - shorter.length;
  if (shorter.length < 4 || extra < 3 || extra > 6) return false;
  return longer.startsWith(shorter) || longer.endsWith(shorter);
}

function isTypo(a: string, b: string): boolean {
  const shortest = Math.min(a.length, b.length);
  if (shortest < 3) return false;
  return distance(a, b) <= (shortest >= 6 ? 2 : 1);
}

/** Edits from one text to the other, a swap of neighbours counting as one (optimal string alignment). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? Infinity;
}

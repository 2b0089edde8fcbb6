/** The words of a name in lower case, however they are joined: `maxResults`, `max_results`, `max-results`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Tells whether one name is the other cut short: `desc` for `descending`. */
export function isAbbreviation(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [a.join(""), b.join("")];
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 2 && long.length >= 2 * short.length && long.startsWith(short);
}

/** The words without the endings of plurals. */
export function stemsOf(words: readonly string[]): readonly string[] {
  return words.map(stemOf);
}

function stemOf(word: string): string {
  // A protocol of its own, not several of the other.
  if (word === "https" || word.endsWith("ss")) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:x|s|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 2 && word.endsWith("s") ? word.slice(0, -1) : word;
}

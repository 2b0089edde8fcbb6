import { isPrintableAscii } from "../sanitize/escape-text.ts";

// The same for names in ASCII, in less time.
const ASCII_GAPS = /[^A-Za-z0-9]+/;
const TRANSCRIBED: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
const GAPS = /[^\p{L}\p{N}]+/u;

/** The words of a name in lower case, however they are joined: `maxResults`, `max_results`, `max-results`. */
export function wordsOf(name: string): readonly string[] {
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
export function isCutShort(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  // Shorter beginnings are those of too many words: `temp` may be a template.
  return short.length > 4 && long.length >= 2 * short.length && long.startsWith(short);
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

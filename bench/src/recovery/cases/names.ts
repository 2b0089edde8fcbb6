import type { Random } from "./random.ts";

/** Misspells a name the way models do: case, separator, plural, one letter off, an extra word. */
export function misspell(name: string, random: Random, of: "key" | "value"): string {
  const words = name.split(/[_\s-]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
  const camel = words.map((word, index) => (index === 0 ? word.toLowerCase() : capital(word)));
  const middle = Math.max(1, Math.floor(name.length / 2));
  const [before, after] = [name.slice(0, middle), name.slice(middle)];
  const isLong = name.length >= 5;
  const spellings = [
    camel.join(""),
    words.join("_").toLowerCase(),
    words.join("-").toLowerCase(),
    words.join(""),
    name.toUpperCase(),
    capital(name),
    name.endsWith("s") ? name.slice(0, -1) : `${name}s`,
  ];
  if (isLong) {
    const swapped = name.charAt(middle) + name.charAt(middle - 1);
    spellings.push(
      before + after.slice(1),
      before + after.charAt(0) + after,
      before.slice(0, -1) + swapped + after.slice(1),
    );
  }
  if (isLong && of === "key") {
    spellings.push(`${name}_${random.pick(["value", "name", "id"])}`);
    spellings.push(`${random.pick(["the", "target"])}_${name}`);
  }
  const others = spellings.filter((spelling) => spelling !== name);
  return random.pick(others.length > 0 ? others : [`${name}s`]);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const PAIRS =
  "min max, start end, from to, source target, first last, before after, width height, " +
  "latitude longitude, north south, east west, active inactive, enable disable, import export, " +
  "increase decrease, public private, open closed, read write, asc desc, ascending descending, " +
  "page_before page_after, subscribe unsubscribe, include exclude, input output, old new, " +
  "top bottom, left right, lower upper, low high, in out, on off, true false, add remove, " +
  "home away, buy sell, debit credit, departure arrival, inner outer, light dark";

/** Words of opposite meaning, many only a few letters apart: neither may be taken for a typo of the other. */
export const ANTONYMS: Readonly<Record<string, string>> = Object.fromEntries(
  PAIRS.split(", ").flatMap((pair) => {
    const [one = "", other = ""] = pair.split(" ");
    return [
      [one, other],
      [other, one],
    ];
  }),
);

/** Replaces a word of the name with its opposite; undefined if it has none. */
export function oppositeName(name: string): string | undefined {
  const parts = name.split(/(?<=[a-z])(?=[A-Z0-9])|(?=[_-])|(?<=[_-])/);
  const at = parts.findIndex((part) => Object.hasOwn(ANTONYMS, part.toLowerCase()));
  const part = parts[at];
  const opposite = part === undefined ? undefined : ANTONYMS[part.toLowerCase()];
  if (part === undefined || opposite === undefined) return undefined;
  const isCapital = part.at(0) !== part.at(0)?.toLowerCase();
  return parts.with(at, isCapital ? capital(opposite) : opposite).join("");
}

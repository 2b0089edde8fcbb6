import type { Random } from "./random.ts";
import words from "./words.json" with { type: "json" };

/** Misspells a name the way models do: case, separator, plural, one letter off, an extra word. */
export function misspell(name: string, random: Random, of: "key" | "value"): string {
  const parts = name.split(/[_\s-]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
  const camel = parts.map((word, index) => (index === 0 ? word.toLowerCase() : capital(word)));
  const middle = Math.max(1, Math.floor(name.length / 2));
  const [before, after] = [name.slice(0, middle), name.slice(middle)];
  const isLong = name.length >= 5;
  const spellings = [
    camel.join(""),
    parts.join("_").toLowerCase(),
    parts.join("-").toLowerCase(),
    parts.join(""),
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

/** Words of opposite meaning, many only a few letters apart: neither may be taken for a typo of the other. */
export const ANTONYMS: Readonly<Record<string, string>> = Object.fromEntries(
  words.antonyms.flatMap((pair) => [pair, pair.toReversed()]) as [string, string][],
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

import type { Random } from "../random.ts";

/** Writes a name as models get it wrong: another case, separator or number, a letter off, a word more. */
export function misspell(name: string, random: Random, of: "key" | "value"): string {
  const words = name.split(/[_\s-]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const camel = words.map((word, index) => (index === 0 ? word.toLowerCase() : capital(word)));
  const middle = Math.max(1, Math.floor(name.length / 2));
  const isLong = name.length >= 5;
  const spellings = [
    camel.join(""),
    words.join("_").toLowerCase(),
    words.join("-").toLowerCase(),
    words.join(""),
    name.toUpperCase(),
    capital(name),
    name.endsWith("s") ? name.slice(0, -1) : `${name}s`,
    ...(isLong
      ? [
          name.slice(0, middle) + name.slice(middle + 1),
          name.slice(0, middle) + name.charAt(middle) + name.slice(middle),
          name.slice(0, middle - 1) +
            name.charAt(middle) +
            name.charAt(middle - 1) +
            name.slice(middle + 1),
        ]
      : []),
    ...(of === "key" && isLong
      ? [
          `${name}_${random.pick(["value", "name", "id"])}`,
          `${random.pick(["the", "target"])}_${name}`,
        ]
      : []),
  ];
  const others = spellings.filter((spelling) => spelling !== name);
  return random.pick(others.length > 0 ? others : [`${name}s`]);
}

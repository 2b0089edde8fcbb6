/** A spelling and the kind of slip that leads to it. */
export type Spelling = readonly [kind: string, wrong: string];

/** Splits a name into its words. */
export function wordsIn(name: string): readonly string[] {
  return name.split(/[_\s.-]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
}

/** The spellings that a model may write instead of a name, each with its kind. */
export function misspellings(name: string, tool: string): readonly Spelling[] {
  const words = wordsIn(name).map((word) => word.toLowerCase());
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const [first = "", ...rest] = words;
  const entity = wordsIn(tool).at(-1)?.toLowerCase() ?? "";
  const middle = Math.floor(name.length / 2);
  const spellings: readonly Spelling[] = [
    ["key: case", first + rest.map(capital).join("")],
    ["key: case", words.join("_")],
    ["key: case", words.join("-")],
    ["key: case", words.map(capital).join("")],
    ["key: case", words.join("")],
    ["key: case", name.toUpperCase()],
    ["key: plural", name.endsWith("s") ? name.slice(0, -1) : `${name}s`],
    ["key: prefix", `tool_${words.join("_")}`],
    ["key: prefix", `${entity}_${words.join("_")}`],
    ["key: prefix", `target_${words.join("_")}`],
    ["key: suffix", `${words.join("_")}_value`],
    ["key: suffix", `${words.join("_")}_name`],
    ...letterSlips(name, middle).map((wrong) => ["key: letter", wrong] as const),
  ];
  return unlike(spellings, name);
}

/** Drops repeated spellings and the right one. */
export function unlike(spellings: readonly Spelling[], name: string): readonly Spelling[] {
  const seen = new Set([name]);
  return spellings.filter(([, wrong]) => !seen.has(wrong) && seen.add(wrong));
}

const SOUNDS: Readonly<Record<string, string>> = {
  c: "s",
  s: "c",
  i: "y",
  y: "i",
  z: "s",
  k: "c",
  e: "a",
  a: "e",
};

/** One letter dropped, doubled, swapped with the next or replaced by one that sounds alike, in two places. */
export function letterSlips(name: string, middle: number): readonly string[] {
  if (name.length < 2) return [];
  const places = [...new Set([1, middle, name.length - 2])].filter(
    (at) => at > 0 && at < name.length,
  );
  return [
    ...places.flatMap((at) => {
      const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)];
      const sound = SOUNDS[letter];
      return [
        ...(name.length > 3 ? [before + after] : []),
        before + letter + letter + after,
        ...(after !== "" ? [before + after.charAt(0) + letter + after.slice(1)] : []),
        ...(sound === undefined || name.length < 5 ? [] : [before + sound + after]),
      ];
    }),
    name + name.at(-1),
  ];
}

/** Copies an object with one of its keys misspelt. */
export function renamed(
  fields: Readonly<Record<string, unknown>>,
  key: string,
  wrong: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name === key ? wrong : name, value]),
  );
}

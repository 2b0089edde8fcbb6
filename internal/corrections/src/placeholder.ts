import type { Expectation } from "./read-expectation.ts";

const END = ": the model fills this in>";
/** In JSON; a name has no quote that is not escaped. */
const IN_JSON = new RegExp(`"<((?:[^"\\\\]|\\\\.)*?)${END}"`, "g");
const MOST_FOUND = 20;
const LONGEST_NAME = 64;

/** A value for the model to fill in: of the expected kind as far as a string can be, so that it is never taken for a value. */
export function placeholderFor(
  name: string,
  { types, keys, items }: Pick<Expectation, "types" | "keys" | "items">,
): unknown {
  const own = `<${name.slice(0, LONGEST_NAME)}${END}`;
  switch (types[0]) {
    case "array":
      return [items === undefined ? own : placeholderFor(name, items)];
    case "object":
      return Object.fromEntries(keys.map((key) => [key, `<${key}${END}`]));
    default:
      return own;
  }
}

/** The names of the placeholders in a JSON text, each once. */
export function placeholdersIn(json: string): readonly string[] {
  const names = json.includes(END) ? [...json.matchAll(IN_JSON)].map(([, name = ""]) => name) : [];
  return [...new Set(names)].slice(0, MOST_FOUND).map((name) => name.slice(0, LONGEST_NAME));
}

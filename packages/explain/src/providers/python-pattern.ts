/** The letters that Python's `re` takes after a backslash. */
const ESCAPES = new Set("abBdDsSwWAZfnrtvxuU");
const ESCAPE = /\\(?:u\{|x\{|([A-Za-z]))/g;

/** What a regular expression has that Python's `re` does not compile; undefined if nothing is known. */
export function unknownToPython(source: string): string | undefined {
  const name = /\(\?<[A-Za-z_$]\w*>/.exec(source);
  if (name) return name[0];
  // A backslash that is itself escaped begins no escape.
  const text = source.replaceAll("\\\\", "  ");
  for (const [found, letter] of text.matchAll(ESCAPE)) {
    if (letter === undefined) return `${found}…}`;
    if (!ESCAPES.has(letter)) return letter.toLowerCase() === "p" ? `${found}{…}` : found;
  }
  return undefined;
}

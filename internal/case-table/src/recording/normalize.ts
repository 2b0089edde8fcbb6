/** What differs between two runs of the same code, and what is recorded instead. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "(uuid)"],
  // The conversation of a relay on stdio: its process and a part of a random id.
  [/\bstdio-\d+-[0-9a-f]{8}\b/g, "stdio-(id)"],
  [/\btoolcontract-demo-\d{6}\b/g, "toolcontract-demo-(id)"],
  [/"(durationMs|isolation_ms)":[\d.e-]+/g, '"$1":"(time)"'],
  [/"timestamp":"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"timestamp":"(time)"'],
];

/** Replaces ids, times and temporary folders in a line of a recording, and nothing else. */
export function normalize(line: string): string {
  return REPLACED.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), line);
}

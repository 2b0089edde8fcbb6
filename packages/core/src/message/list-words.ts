/** How much of a list is shown: all of it up to `whole` entries, else the first `few` and a count. */
export interface Extent {
  readonly whole: number;
  readonly few: number;
}

/** As much as ever fits. */
export const ALL: Extent = { whole: 50, few: 50 };
/** For a list beside a hint that names one of its values. */
export const BESIDE_HINT: Extent = { whole: 12, few: 5 };
/** For a message that must be short. */
export const FEW: Extent = { whole: 4, few: 3 };

/** A name that would read as part of the sentence around it. */
const NOT_PLAIN = /^$|^(?:and|or|not|with|of|one|only|any|more)$|[\s,;()[\]{}]/;

/** Writes a count with its unit: `1 item`, `2 items`. */
export function plural(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}

/** Writes values as a model may send them: one by itself, several as `one of`. */
export function listValues(values: readonly unknown[], extent: Extent): string {
  const [only] = values;
  if (values.length === 1) return writeValue(only);
  if (values.length === 0) return "one of";
  return `one of ${list(values.slice(0, ALL.whole).map(writeValue), extent, values.length)}`;
}

function writeValue(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

/** Writes names, separated by commas. */
export function listNames(names: readonly string[], extent: Extent = ALL): string {
  return list(names.slice(0, ALL.whole).map(plainName), extent, names.length);
}

/** Writes strings as they are, separated by commas. */
export function list(
  texts: readonly string[],
  extent: Extent,
  count: number = texts.length,
): string {
  const shown = texts.slice(0, count > extent.whole ? extent.few : extent.whole);
  const hidden = count - shown.length;
  return shown.join(", ") + (hidden > 0 ? ` and ${hidden} more` : "");
}

/** Writes a name as it is, or in quotes if it would read as part of the sentence around it. */
export function plainName(name: string): string {
  return NOT_PLAIN.test(name) ? JSON.stringify(name) : name;
}

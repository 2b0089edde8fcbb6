const MAX_LISTED = 50;
/** Beside a hint that names one of them, so many are listed whole, or the first few and a count. */
const BESIDE_HINT = { whole: 12, few: 5 };
const NOT_PLAIN = /^$|^(?:and|or|not|with|of|one|only|any|more)$|[\s,;()[\]{}]/;

/** A count with its unit: `1 item`, `2 items`. */
export function plural(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}

/** Values as a model may send them; a single one stands for itself. */
export function listValues(values: readonly unknown[], isHinted: boolean = false): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => JSON.stringify(value) ?? "null");
  if (values.length === 1) return shown.join("");
  return `one of ${listed(shown, values.length, isHinted)}`;
}

/** Names, separated by commas. */
export function listNames(names: readonly string[], isHinted: boolean = false): string {
  return listed(names.slice(0, MAX_LISTED).map(plainName), names.length, isHinted);
}

/** Texts as they are, separated by commas. */
export function listTexts(texts: readonly string[]): string {
  return listed(texts.slice(0, MAX_LISTED), texts.length, false);
}

function listed(texts: readonly string[], count: number, isHinted: boolean): string {
  const shown = isHinted && count > BESIDE_HINT.whole ? texts.slice(0, BESIDE_HINT.few) : texts;
  const hidden = count - shown.length;
  return shown.join(", ") + (hidden > 0 ? ` and ${hidden} more` : "");
}

/** A name as it is, in quotes where it would read as a word of the sentence around it. */
export function plainName(name: string): string {
  return NOT_PLAIN.test(name) ? JSON.stringify(name) : name;
}

/** Several ways to satisfy a schema, as one phrase. */
export function alternatives(texts: readonly string[]): string {
  const unique = [...new Set(texts)];
  return unique.length > 6
    ? `${unique.slice(0, 6).join(" or ")} or ${unique.length - 6} others`
    : unique.join(" or ");
}

/** What a model reads about what it need not or must not send. */
export const LEAVE_OUT = "leave it out";

type Words = readonly string[];

/** Words that models put before or after a name without meaning another thing by it. */
const FILLERS = new Set(
  (
    "the a my your this target given input param parameter arg argument field value name id key " +
    "file folder dir directory user repo repository project issue document item object " +
    "text string number num list array data url uri address query search"
  ).split(" "),
);

/** Words that say what kind of value a name wants: one without them may mean another kind. */
const KINDS = new Set(["id", "url", "uri", "key"]);

/** Tells whether two names are equal but for one more word, at the begin or the end of either, that says little. */
export function hasFiller(sent: Words, wanted: Words, ofKinds: boolean): boolean {
  const ofSent = extraWord(sent, wanted);
  if (ofSent !== undefined) return FILLERS.has(ofSent);
  const ofWanted = extraWord(wanted, sent);
  return ofWanted !== undefined && FILLERS.has(ofWanted) && !(ofKinds && KINDS.has(ofWanted));
}

/** The one word that a name has more than another, at its begin or its end. */
function extraWord(longer: Words, shorter: Words): string | undefined {
  if (longer.length === 1 && shorter.length === 1)
    return gluedWord(longer[0] ?? "", shorter[0] ?? "");
  if (longer.length !== shorter.length + 1 || shorter.join("").length < 3) return undefined;
  if (shorter.every((word, index) => word === longer[index + 1])) return longer[0];
  return shorter.every((word, index) => word === longer[index]) ? longer.at(-1) : undefined;
}

/** `filepath` for `path`: the words stand together without a sign between them. */
function gluedWord(long: string, short: string): string | undefined {
  // A letter in front makes another word: `async` for `sync`.
  if (short.length < 3 || long.length < short.length + 2) return undefined;
  if (long.endsWith(short)) return long.slice(0, -short.length);
  return long.startsWith(short) ? long.slice(short.length) : undefined;
}

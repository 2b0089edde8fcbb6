type Words = readonly string[];

/** Words that models put before or after a name without meaning another thing by it. */
const FILLERS = new Set(
  (
    "the a my your this target given input param parameter arg argument field value name id key " +
    "file folder dir directory user repo repository project issue document item object " +
    "text string number num list array data url uri query search"
  ).split(" "),
);

/** What turns the meaning of the name that it stands before, so that no name is near which lacks it. */
const TURNS = new Set(
  (
    "min max minimum maximum start end from to since until before after first last prev previous next old new " +
    "source src dest destination parent child is no not non un sub super include exclude allow deny " +
    "in out input output total count sort order page per alt default start_at"
  ).split(" "),
);

/** Tells whether two names are equal but for one more word, at the begin or the end of either, that says little. */
export function hasFiller(a: Words, b: Words): boolean {
  return hasExtra(a, b) || hasExtra(b, a) || isGlued(a, b) || isGlued(b, a);
}

function hasExtra(longer: Words, shorter: Words): boolean {
  if (longer.length !== shorter.length + 1 || shorter.join("").length < 3) return false;
  const [first = "", ...rest] = longer;
  // What stands before a name mostly tells what it is of, what stands after it what it is.
  if (rest.join(" ") === shorter.join(" ")) return FILLERS.has(first) || !isTurning(first);
  return longer.slice(0, -1).join(" ") === shorter.join(" ") && FILLERS.has(longer.at(-1) ?? "");
}

/** Short words in front are mostly prepositions and signs. */
function isTurning(word: string): boolean {
  return word.length < 4 || TURNS.has(word) || /\d/.test(word);
}

/** `filepath` for `path`: the words stand together without a sign between them. */
function isGlued(longer: Words, shorter: Words): boolean {
  const [long = "", ...others] = longer;
  const [short = "", ...more] = shorter;
  if (others.length > 0 || more.length > 0 || short.length < 3) return false;
  if (long.endsWith(short)) return FILLERS.has(long.slice(0, -short.length));
  return long.startsWith(short) && FILLERS.has(long.slice(short.length));
}

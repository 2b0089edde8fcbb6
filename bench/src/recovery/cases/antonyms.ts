const PAIRS =
  "min max, start end, from to, source target, first last, before after, width height, " +
  "latitude longitude, north south, east west, active inactive, enable disable, import export, " +
  "increase decrease, public private, open closed, read write, asc desc, ascending descending, " +
  "page_before page_after, subscribe unsubscribe, include exclude, input output, old new, " +
  "top bottom, left right, lower upper, low high, in out, on off, true false, add remove, " +
  "home away, buy sell, debit credit, departure arrival, inner outer, light dark";

/** Words of opposite meaning, many of them few letters apart: none may be taken for a slip of the other. */
export const ANTONYMS: Readonly<Record<string, string>> = Object.fromEntries(
  PAIRS.split(", ").flatMap((pair) => {
    const [one = "", other = ""] = pair.split(" ");
    return [
      [one, other],
      [other, one],
    ];
  }),
);

/** The name with a word in it turned into its opposite, or its number raised; undefined where it has neither. */
export function oppositeName(name: string): string | undefined {
  const parts = name.split(/(?<=[a-z])(?=[A-Z0-9])|(?=[_-])|(?<=[_-])/);
  const at = parts.findIndex((part) => Object.hasOwn(ANTONYMS, part.toLowerCase()));
  if (at !== -1) {
    const part = parts[at] as string;
    const turned = ANTONYMS[part.toLowerCase()] as string;
    const isCapital = part.at(0) !== part.at(0)?.toLowerCase();
    const fitting = isCapital ? turned.charAt(0).toUpperCase() + turned.slice(1) : turned;
    return parts.with(at, fitting).join("");
  }
  const number = /\d+$/.exec(name);
  return number ? `${name.slice(0, number.index)}${Number(number[0]) + 1}` : undefined;
}

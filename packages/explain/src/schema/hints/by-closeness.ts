/** Sorts names by how much they have in common with another one, the closest first. */
export function byCloseness(to: string, names: readonly string[]): readonly string[] {
  const pairs = pairsOf(to);
  const shares = new Map(names.map((name) => [name, commonShare(pairs, pairsOf(name))] as const));
  return names.toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0));
}

/** Lists of up to this many entries are always written in their own order. */
const SHORT = 4;
/** As many as a message writes. */
const MAX_CLOSEST = 50;
/** Above this, only the first are compared: each takes some microseconds. */
const MAX_COMPARED = 5_000;

/** The entries of a long list to write first if not all of them fit: those closest to what was sent. */
export function closestOf(
  sent: unknown,
  values: readonly unknown[],
): { readonly closest?: readonly string[] } {
  if (typeof sent !== "string" || sent === "" || values.length <= SHORT) return {};
  const texts = values.slice(0, MAX_COMPARED).filter((one) => typeof one === "string");
  const sorted = byCloseness(sent, texts);
  return texts.length === 0 ? {} : { closest: sorted.slice(0, MAX_CLOSEST) };
}

/** The pairs of neighbouring letters in a name. */
function pairsOf(name: string): ReadonlySet<string> {
  const letters = name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
  return new Set(Array.from(letters.slice(1), (letter, at) => `${letters[at] ?? ""}${letter}`));
}

/** How much two sets have in common, from 0 to 1. */
function commonShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
}

/** The tool whose name is nearest to an unknown one, or undefined if none is near. */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const plain = (one: string): string => one.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const wanted = plain(name.split(".").at(-1) ?? name);
  const ranked = names
    .map((one) => ({ one, distance: distanceOf(wanted, plain(one)) }))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked.find(({ distance }) => distance <= 2)?.one;
}

function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const [above = 0, left = 0, corner = 0] = [row[j + 1], next[j], row[j]];
      next.push(Math.min(above + 1, left + 1, corner + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

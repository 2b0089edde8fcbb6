/** The gaps that no row of a table needs, and the reasons that say too little. */
export function gapsBeyond(
  needed: readonly string[],
  cannot: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(cannot).flatMap(([gap, reason]) => [
    ...(needed.includes(gap) ? [] : [gap]),
    ...(reason.trim().length < 20 ? [reason] : []),
  ]);
}

/** A share of a sample, and where the share of all lies with 95 % confidence (Wilson's score interval). */
export interface Proportion {
  readonly hits: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

// Of the normal distribution, for 95 %.
const Z = 1.959964;

/** Estimates a share; of nothing, it may be anything. */
export function proportion(hits: number, of: number): Proportion {
  if (of === 0) return { hits, of, low: 0, high: 1 };
  const share = hits / of;
  const middle = share + Z ** 2 / (2 * of);
  const half = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const whole = 1 + Z ** 2 / of;
  return {
    hits,
    of,
    low: Math.max(0, (middle - half) / whole),
    high: Math.min(1, (middle + half) / whole),
  };
}

/** Writes a share, such as `83 % (67 to 93, of 30)`. */
export function shownProportion({ hits, of, low, high }: Proportion): string {
  if (of === 0) return "–";
  return `${percent(hits / of)} % (${percent(low)} to ${percent(high)}, of ${of})`;
}

function percent(share: number): string {
  return (100 * share).toFixed(0);
}

/** Why a benchmark misses its target, as far as a profile has shown. */
export const REASONS: Readonly<Record<string, string>> = {};

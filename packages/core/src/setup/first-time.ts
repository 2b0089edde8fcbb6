import { createRecentMap } from "../recent-map.ts";

const MAX_KEYS = 1_000;

/** Makes a function that says yes to a key once; it remembers the latest thousand keys. */
export function createFirstTime(): (key: string) => boolean {
  const seen = createRecentMap<string, true>(MAX_KEYS);
  return (key) => {
    if (seen.get(key)) return false;
    seen.set(key, true);
    return true;
  };
}

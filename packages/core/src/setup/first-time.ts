const MAX_KEYS = 1_000;

/** Makes a function that says yes to a key once; it remembers the latest thousand keys. */
export function createFirstTime(): (key: string) => boolean {
  const seen = new Set<string>();
  return (key) => {
    if (seen.has(key)) return false;
    seen.add(key);
    if (seen.size > MAX_KEYS) {
      for (const oldest of seen) {
        seen.delete(oldest);
        break;
      }
    }
    return true;
  };
}

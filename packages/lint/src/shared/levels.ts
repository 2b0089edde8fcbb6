/** No provider takes a tenth of it. */
export const MAX_LEVELS = 500;

/** Whether arrays and objects lie inside each other more deeply than any reader here goes down. */
export function isTooDeep(root: unknown): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return true;
    const inner = level.flatMap((one) =>
      typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : [],
    );
    // In code, many places may share an object.
    level = [...new Set(inner)];
  }
  return false;
}

/** Whether a value has a mark of this library, also one that another copy of it set; a proxy that throws does not count as marked. */
export function isMarked(value: unknown, mark: symbol): boolean {
  try {
    return typeof value === "object" && value !== null && mark in value;
  } catch {
    return false;
  }
}

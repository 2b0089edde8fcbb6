/** Names the class of something thrown as core's log does, whatever it is. */
export function errorClass(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.constructor.name : typeof thrown;
  } catch {
    // A proxy may refuse to be looked at.
    return "Error";
  }
}

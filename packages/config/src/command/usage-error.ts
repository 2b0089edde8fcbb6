/** A misuse of the command line: one line that says what to do instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

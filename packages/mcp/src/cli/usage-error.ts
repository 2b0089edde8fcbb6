/** A misuse of the command line: one line that says what to do instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** A flag that does not exist. */
export class UnknownFlag extends UsageError {
  readonly flag: string;

  constructor(flag: string) {
    super(`there is no option ${flag.slice(0, 64)}`);
    this.flag = flag;
  }
}

/** Configuration files that are wrong: all their faults, with their places. */
export class InvalidConfig extends UsageError {}

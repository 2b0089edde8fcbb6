const MORE = /^\.\.\. and (at least )?(0|[1-9]\d{0,5}) more errors?$/;

/** The content of the line about errors that are not shown. */
interface HiddenErrors {
  readonly hiddenErrors: number;
  /** True if the number is a lower bound. */
  readonly atLeast: boolean;
}

/** Writes how many errors are not shown. */
export function formatMore(count: number, atLeast: boolean): string {
  return `... and ${atLeast ? "at least " : ""}${count} more ${count === 1 ? "error" : "errors"}`;
}

/** Reads how many errors are not shown. */
export function parseMore(line: string): HiddenErrors | undefined {
  const [found, atLeast, count] = MORE.exec(line) ?? [];
  return found === undefined
    ? undefined
    : { hiddenErrors: Number(count), atLeast: atLeast !== undefined };
}

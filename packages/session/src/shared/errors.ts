/** What went wrong with one request to a model. */
export type ErrorKind =
  /** The key or its rights: fatal. */
  | "auth"
  /** The account's budget: fatal. */
  | "quota"
  | "rate_limit"
  /** The connection, the provider's or the model's own failure. */
  | "network"
  /** The request took longer than `requestTimeout`, or a time limit of the framework. */
  | "timeout"
  | "model"
  /** The prompt did not fit. */
  | "context"
  /** An answer with neither text nor calls, or one that cannot be read. */
  | "empty"
  /** An answer that ended at its length limit, or that the provider's filter ended or paused. */
  | "cut"
  /** The caller's signal. */
  | "aborted";

/** The kinds after which no other request is made. */
export const FATAL: ReadonlySet<ErrorKind> = new Set<ErrorKind>(["auth", "quota", "aborted"]);

/**
 * What a request to a provider failed with.
 *
 * @example
 * ```ts
 * if (error instanceof ProviderError && error.kind === "rate_limit") console.log(error.message);
 * ```
 */
export class ProviderError extends Error {
  readonly kind: ErrorKind;
  /** What the next request says, and no other. */
  readonly notice: string | undefined;
  /** Whether another request to the same target, with the same limit, would fail in the same way. */
  readonly isSpent: boolean;
  constructor(
    kind: ErrorKind,
    message: string,
    {
      cause,
      notice,
      isSpent = false,
    }: { readonly cause?: unknown; readonly notice?: string; readonly isSpent?: boolean } = {},
  ) {
    super(message, { cause });
    this.name = "ProviderError";
    this.kind = kind;
    this.notice = notice;
    this.isSpent = isSpent;
  }
}

/**
 * A turn whose requests are used up, or that met a fatal error; no framework retries it.
 *
 * @example
 * ```ts
 * if (error instanceof TurnFailed) console.log(error.kind, error.attempts);
 * ```
 */
export class TurnFailed extends Error {
  readonly kind: ErrorKind;
  /** How many requests were made. */
  readonly attempts: number;
  constructor(
    kind: ErrorKind,
    message: string,
    { cause, attempts }: { readonly cause?: unknown; readonly attempts: number },
  ) {
    super(message, { cause });
    this.name = "TurnFailed";
    this.kind = kind;
    this.attempts = attempts;
  }
}

/** Thrown to a framework that asks for another turn after the last one; it ends the run without an error. */
export class RunOver extends Error {
  constructor() {
    super("The run has ended: no other turn is left");
    this.name = "RunOver";
  }
}

/**
 * What a tool's failure reads like; the frameworks show the message to the model.
 *
 * @example
 * ```ts
 * if (error instanceof ToolFailed) console.log(error.message); // "(tool failed: no such page)"
 * ```
 */
export class ToolFailed extends Error {
  constructor(text: string, cause?: unknown) {
    super(text, { cause });
    this.name = "ToolFailed";
  }
  // The SDK shows `toString()` of what is not a plain Error.
  override toString(): string {
    return this.message;
  }
}

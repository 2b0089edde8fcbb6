const MARKER = Symbol.for("toolcontract.run-error");

/**
 * What a program failed at: something that it needs did not start (an MCP server), its configuration or arguments are
 * wrong, a schema cannot be used or does not accept a value, or anything else.
 */
export type RunErrorCategory = "not-started" | "configuration" | "schema" | "failed";

/**
 * An error of a program around a run; its category, and no word of it, decides the exit code.
 *
 * @example
 * ```ts
 * if (error instanceof RunError) process.exitCode = exitCodeOf(error);
 * ```
 */
export class RunError extends Error {
  override readonly name: string = "RunError";
  /** What the program failed at. */
  readonly category: RunErrorCategory;

  constructor(category: RunErrorCategory, message: string, options?: ErrorOptions) {
    super(message, options);
    this.category = category;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Recognises the error even from another copy of the package, where `instanceof` fails. */
  static isInstance(value: unknown): value is RunError {
    return typeof value === "object" && value !== null && MARKER in value;
  }
}

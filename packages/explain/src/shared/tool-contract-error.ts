import { isMarked } from "./is-marked.ts";
import { FORMAT_VERSION } from "./format-version.ts";

const MARKER = Symbol.for("toolcontract.error");

/**
 * Thrown when a program misuses this library; never for a model's mistake.
 *
 * @example
 * ```ts
 * if (error instanceof ToolContractError) throw error; // the program is wrong, not the model
 * ```
 */
export class ToolContractError extends Error {
  override readonly name: string = "ToolContractError";
  /** The format version of the library that threw. */
  readonly formatVersion: string = FORMAT_VERSION;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Recognises the error even from another copy of the package, where `instanceof` fails. */
  static isInstance(value: unknown): value is ToolContractError {
    return isMarked(value, MARKER);
  }
}

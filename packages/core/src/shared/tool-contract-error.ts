import { FORMAT_VERSION } from "./format-version.ts";

const MARKER = Symbol.for("toolcontract.error");

/** A misuse of this library by the program around it. A model's mistake never throws one. */
export class ToolContractError extends Error {
  override readonly name: string = "ToolContractError";
  /** The format version of the library that threw. */
  readonly formatVersion: string = FORMAT_VERSION;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Recognises the error across duplicated installs, where `instanceof` would not. */
  static isInstance(value: unknown): value is ToolContractError {
    return typeof value === "object" && value !== null && MARKER in value;
  }
}

import type { Escalation } from "./escalation.ts";
import { FORMAT_VERSION } from "./format-version.ts";
import { oneLine } from "./message/one-line.ts";

const MARKER = Symbol.for("toolcontract.escalation");

/** Carries an escalation to hosts that stop a run by throwing. */
export class EscalationError extends Error {
  override readonly name: string = "EscalationError";
  /** The format version of the library that threw. */
  readonly formatVersion: string = FORMAT_VERSION;
  readonly escalation: Escalation;

  constructor(escalation: Escalation, options?: ErrorOptions) {
    const { toolName, attempts } = escalation;
    super(`Tool '${oneLine(toolName, 64)}' is blocked after attempt ${attempts}`, options);
    this.escalation = escalation;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Recognises the error across duplicated installs, where `instanceof` would not. */
  static isInstance(value: unknown): value is EscalationError {
    return typeof value === "object" && value !== null && MARKER in value;
  }
}

import { ToolContractError } from "@toolcontract/core";
import { checkMembers, readMember } from "@toolcontract/core/adapter";

import { type Violation, VIOLATION_ROWS, checkClass } from "../shared/index.ts";
import { isTypeName } from "./outcome.ts";

const BRAND = Symbol.for("toolcontract.guardrail-violation");

/**
 * Thrown by a tool that finds, while it runs, that the call is not allowed: it counts as a violation of a guardrail.
 *
 * @example
 * ```ts
 * throw new GuardrailViolation("tool_registry_violation", {
 *   message: "a registered tool was changed in place",
 *   hint: "register a new one",
 * });
 * ```
 */
export class GuardrailViolation extends Error {
  override readonly name: string = "GuardrailViolation";
  /** The violation's type, as a guardrail's name would be. */
  readonly type: string;
  /** What is wrong, in words for the model. */
  readonly violation: Violation;

  /**
   * @param type - A stable name such as `tool_registry_violation`.
   * @param violation - What is wrong; a string is its message.
   * @throws ToolContractError if the type is not a name, there is no message, or a terminal violation has no reason.
   */
  constructor(type: string, violation: Violation | string) {
    const given = typeof violation === "string" ? { message: violation } : violation;
    checkViolation(type, given);
    super(given.message);
    this.type = type;
    this.violation = Object.freeze({ ...given });
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Recognises the error even from another copy of the package, where `instanceof` fails. */
  static isInstance(value: unknown): value is GuardrailViolation {
    return (
      readMember(value, BRAND) === true &&
      isTypeName(readMember(value, "type")) &&
      typeof readMember(readMember(value, "violation"), "message") === "string"
    );
  }
}

function checkViolation(type: string, violation: unknown): void {
  if (!isTypeName(type)) {
    throw new ToolContractError(
      "GuardrailViolation: the type is not a name. Pass a stable one of letters, digits and '_-.:/', at most 64, such as 'tool_registry_violation'.",
    );
  }
  const where = `GuardrailViolation '${type}'`;
  checkMembers(where, Object(violation) as object, VIOLATION_ROWS);
  checkClass(where, Object(violation) as object);
}

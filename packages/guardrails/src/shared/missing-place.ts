import { ToolContractError } from "@toolcontract/core";

const MISSING = Symbol.for("toolcontract.missing-place");

/** What a guardrail or a limit asks about needs a place of the call, such as its conversation, that is not known or not known yet. */
export class MissingPlaceError extends ToolContractError {
  constructor(message: string) {
    super(message);
    Object.defineProperty(this, MISSING, { value: true });
  }
}

/** Whether a place was missing; recognises the error of another copy of the package, too. */
export function isMissingPlace(thrown: unknown): boolean {
  return ToolContractError.isInstance(thrown) && MISSING in thrown;
}

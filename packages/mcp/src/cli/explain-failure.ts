import { ToolContractError } from "@toolcontract/core";
import { errorClass, nearestName } from "@toolcontract/core/adapter";
import { FLAG_ENTRIES } from "./flags.ts";
import { InvalidConfig, UnknownFlag, UsageError } from "./usage-error.ts";

/** Why the command line ended without its work done. */
export interface Failure {
  /** One line with the next step, or one for each fault of a file; never a stack, and never a message of somebody else's. */
  readonly words: string;
  readonly code: number;
}

const MISUSE = 2;
/** What the command `toolcontract` gives for it. */
const INVALID_CONFIG = 4;
const INTERNAL = 70;

/** Explains whatever was thrown to the user of the command `name`. */
export function explainFailure(thrown: unknown, name: string): Failure {
  if (thrown instanceof UnknownFlag) {
    const near = nearestName(
      thrown.flag.replace(/^-+/, ""),
      FLAG_ENTRIES.map(([flag]) => flag),
    );
    const advice = near === undefined ? `see ${name} --help` : `did you mean --${near}?`;
    return { words: `${thrown.message}; ${advice}`, code: MISUSE };
  }
  if (thrown instanceof InvalidConfig) return { words: thrown.message, code: INVALID_CONFIG };
  if (thrown instanceof UsageError) {
    return { words: `${thrown.message} (see ${name} --help)`, code: MISUSE };
  }
  if (ToolContractError.isInstance(thrown)) return { words: thrown.message, code: MISUSE };
  const words = `internal error (${errorClass(thrown)}); please report it with the command line`;
  return { words, code: INTERNAL };
}

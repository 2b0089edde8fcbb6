import { FLAG_ENTRIES } from "./flags.ts";

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
export async function explainFailure(thrown: unknown, name: string): Promise<Failure> {
  if (thrown instanceof UnknownFlag) {
    const { nearestName } = await import("@toolcontract/core/adapter");
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
  const { ToolContractError } = await import("@toolcontract/core");
  const { errorClass } = await import("@toolcontract/core/adapter");
  if (ToolContractError.isInstance(thrown)) return { words: thrown.message, code: MISUSE };
  const words = `internal error (${errorClass(thrown)}); please report it with the command line`;
  return { words, code: INTERNAL };
}

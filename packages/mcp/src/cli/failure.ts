import { FLAG_ENTRIES } from "./flags.ts";

/** A mistake on the command line, in one line that says what to do instead. */
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

/** Invalid configuration files: all their faults, with file and line. */
export class InvalidConfig extends UsageError {}

/** Why the command failed. */
export interface Failure {
  /** One line with the next step, or one for each fault of a file; never a stack or another package's message. */
  readonly reason: string;
  readonly code: number;
}

const MISUSE = 2;
/** The same as the exit code of `toolcontract config`. */
const INVALID_CONFIG = 4;
const INTERNAL = 70;

/** Explains what was thrown to the user of the command `name`. */
export async function explainFailure(thrown: unknown, name: string): Promise<Failure> {
  // Core is slow to load, and a start that succeeds does not need it here.
  const { errorClass, nearestName } = await import("@toolcontract/core/adapter");
  if (thrown instanceof UnknownFlag) {
    const near = nearestName(
      thrown.flag.replace(/^-+/, ""),
      FLAG_ENTRIES.map(([flag]) => flag),
    );
    const advice = near === undefined ? `see ${name} --help` : `did you mean --${near}?`;
    return { reason: `${thrown.message}; ${advice}`, code: MISUSE };
  }
  if (thrown instanceof InvalidConfig) return { reason: thrown.message, code: INVALID_CONFIG };
  if (thrown instanceof UsageError) {
    return { reason: `${thrown.message} (see ${name} --help)`, code: MISUSE };
  }
  const { ToolContractError } = await import("@toolcontract/core");
  if (ToolContractError.isInstance(thrown)) return { reason: thrown.message, code: MISUSE };
  const reason = `internal error (${errorClass(thrown)}); please report it with the command line`;
  return { reason, code: INTERNAL };
}

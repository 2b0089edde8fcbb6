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
export interface CommandFailure {
  /** One line with the next step, or one for each fault of a file; never a stack or another package's message. */
  readonly reason: string;
  readonly code: number;
}

/** The exit codes of the command itself, which `toolcontract config` shares; a server that ran exits with its own. */
export const EXIT = { ok: 0, failed: 1, notStarted: 3, invalid: 4 } as const;

/** Explains what was thrown to the user of the command `name`. */
export async function explainFailure(thrown: unknown, name: string): Promise<CommandFailure> {
  // Core is slow to load, and a start that succeeds does not need it here.
  const { errorClass, nearestName } = await import("@toolcontract/core/adapter");
  if (thrown instanceof UnknownFlag) {
    const near = nearestName(
      thrown.flag.replace(/^-+/, ""),
      FLAG_ENTRIES.map(([flag]) => flag),
    );
    const advice = near === undefined ? `see ${name} --help` : `did you mean --${near}?`;
    return { reason: `${thrown.message}; ${advice}`, code: EXIT.invalid };
  }
  if (thrown instanceof InvalidConfig) return { reason: thrown.message, code: EXIT.invalid };
  if (thrown instanceof UsageError) {
    return { reason: `${thrown.message} (see ${name} --help)`, code: EXIT.invalid };
  }
  const { ToolContractError } = await import("@toolcontract/core");
  if (ToolContractError.isInstance(thrown)) return { reason: thrown.message, code: EXIT.invalid };
  const reason = `internal error (${errorClass(thrown)}); please report it with the command line`;
  return { reason, code: EXIT.failed };
}

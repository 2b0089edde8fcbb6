import { errorClass } from "@toolcontract/core/adapter";
import manifest from "../../package.json" with { type: "json" };
import { ConfigError } from "../load/index.ts";
import {
  type CommandContext,
  type CommandLine,
  HELP,
  readCommandLine,
  UsageError,
} from "./command-line.ts";
import { FileExistsError, init } from "./init.ts";
import { checkConfig, show } from "./inspect.ts";
import { runLinter } from "./run-linter.ts";

export type { CommandContext } from "./command-line.ts";

/** The exit codes: 4 stands for wrong arguments and an invalid configuration alike. */
export const EXIT = { ok: 0, failed: 1, invalid: 4 } as const;

/** Runs a command line of `toolcontract`, the linter's too, and returns its exit code. */
export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
  isColored: boolean,
): Promise<number> {
  const [command, ...others] = args;
  return command === "lint" ? runLinter(others, context, isColored) : runCommand(args, context);
}

/** Runs a command line and returns its exit code; never throws. */
export function runCommand(args: readonly string[], context: CommandContext): number {
  try {
    runLine(readCommandLine(args), context);
    return EXIT.ok;
  } catch (thrown) {
    if (thrown instanceof ConfigError)
      return reportFaults(thrown, args.includes("--json"), context);
    context.warn(`toolcontract: ${messageOfThrown(thrown)}`);
    return thrown instanceof UsageError ? EXIT.invalid : EXIT.failed;
  }
}

function runLine(line: CommandLine, context: CommandContext): void {
  switch (line.command) {
    case "help":
      return context.print(HELP);
    case "version":
      return context.print(manifest.version);
    case "check":
      return checkConfig(line, context);
    case "show":
      return show(line, context);
    case "init":
      return init(context);
  }
}

function reportFaults(error: ConfigError, json: boolean, { print, warn }: CommandContext): number {
  if (json) print(JSON.stringify({ valid: false, faults: error.faults }, null, 2));
  else warn(error.message);
  return EXIT.invalid;
}

function messageOfThrown(thrown: unknown): string {
  if (thrown instanceof UsageError || thrown instanceof FileExistsError) return thrown.message;
  const { code, path } = thrown as NodeJS.ErrnoException;
  // The system's code and path for a file error, without the stack.
  return code === undefined ? `failed (${errorClass(thrown)})` : `${code} ${path ?? ""}`.trim();
}

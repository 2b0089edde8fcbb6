import manifest from "../package.json" with { type: "json" };
import { ToolContractError } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import { type ExitCode, exitCodeOf, RunError } from "@toolcontract/session";
import { messageOf } from "@toolcontract/session/adapter";
import { formatOf, HELP, readCommandLine } from "./command-line.ts";
import { createOutput, type Stream } from "./output/index.ts";
import type { Surroundings } from "./run-agent.ts";

/** The process that the command runs in. */
export interface CommandProcess extends Surroundings {
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/** Runs a command line and returns its exit code; whatever happens, there is a result. */
export async function runCommand(
  args: readonly string[],
  process: CommandProcess,
): Promise<ExitCode> {
  const output = createOutput(formatOf(args), process);
  try {
    const line = readCommandLine(args);
    if ("asks" in line) {
      return (await output.print(line.asks === "help" ? HELP : manifest.version)) ? 0 : 1;
    }
    // What an agent needs takes a while to load.
    const { runAgent } = await import("./run-agent.ts");
    return exitCodeOf(await runAgent(line, process, output));
  } catch (thrown) {
    const { signal } = process;
    const error = signal.aborted ? `The run was aborted: ${messageOf(signal.reason)}` : why(thrown);
    const result = { success: false, error, conversation: [], accounting: [] };
    await output.result(result);
    return exitCodeOf(signal.aborted ? result : thrown);
  }
}

function why(thrown: unknown): string {
  // Written for people, with a line for each fault.
  if (RunError.isInstance(thrown) || ToolContractError.isInstance(thrown)) return thrown.message;
  return `internal error (${errorClass(thrown)}): ${messageOf(thrown)}`;
}

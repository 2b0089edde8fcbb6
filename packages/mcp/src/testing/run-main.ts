import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { main, type StandardStreams } from "../cli/index.ts";

/** What a command line has come to. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

const packageUrl = new URL("../../package.json", import.meta.url);

/** Runs a command line in the test's own process on these streams, ends what it writes to, and returns its exit code. */
export async function runOn(
  streams: StandardStreams,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const code = await main({ argv, env, packageUrl, streams });
  streams.stdout.end();
  streams.stderr.end();
  return code;
}

/** Runs a command line in the test's own process, which costs no start; it must end without a signal or an input. */
export async function runMain(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = { TOOLCONTRACT_CONFIG: "off" },
): Promise<Ended> {
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  const [code, output, errors] = await Promise.all([
    runOn(streams, argv, env),
    text(streams.stdout),
    text(streams.stderr),
  ]);
  return { code, output, errors };
}

import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../cli/index.ts";

/** What a command line has come to. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
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
  const written = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const packageUrl = new URL("../../package.json", import.meta.url);
  const code = await main({ argv, env, packageUrl, streams });
  streams.stdout.end();
  streams.stderr.end();
  const [output, errors] = await written;
  return { code, output, errors };
}

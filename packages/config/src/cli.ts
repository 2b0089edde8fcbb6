#!/usr/bin/env node
// The command line `toolcontract`.
import { type CommandContext, EXIT, runCommandLine } from "./command/index.ts";
import { homeFolder } from "./files/index.ts";

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

// A reader may leave before the end, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

process.exitCode = await start();

async function start(): Promise<number> {
  const warn = write(process.stderr);
  const cwd = workingDirectory();
  if (cwd === undefined) {
    warn("toolcontract: the working directory no longer exists.");
    return EXIT.failed;
  }
  const home = homeFolder() ?? false;
  const print = write(process.stdout);
  const context: CommandContext = { cwd, home, env: process.env, print, warn };
  const isColored = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  return runCommandLine(process.argv.slice(2), context, isColored);
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

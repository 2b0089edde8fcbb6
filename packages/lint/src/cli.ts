#!/usr/bin/env node
// The command line `toolcontract-lint`: `toolcontract lint` without the files of settings.
import { runLint } from "./command/index.ts";

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

// A reader may leave before the end, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

process.exitCode = await runLint(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  print: write(process.stdout),
  warn: write(process.stderr),
  isColored: process.stdout.isTTY && process.env["NO_COLOR"] === undefined,
});

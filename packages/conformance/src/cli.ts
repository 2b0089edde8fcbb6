#!/usr/bin/env node
// The command line `toolcontract-conformance`.
import manifest from "../package.json" with { type: "json" };
import { runCommand } from "./command/index.ts";

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

// A reader may leave before the end, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

const controller = new AbortController();
// The programs are in process groups of their own, which Ctrl-C does not reach.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());

process.exitCode = await runCommand(process.argv.slice(2), {
  version: manifest.version,
  print: write(process.stdout),
  warn: write(process.stderr),
  signal: controller.signal,
});

#!/usr/bin/env node
// The command line `toolcontract`.
import { EXIT, runCommand } from "./command/index.ts";
import { homeFolder } from "./files/index.ts";

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

process.exitCode = start();

function start(): number {
  const warn = write(process.stderr);
  const cwd = workingDirectory();
  if (cwd === undefined) {
    warn("toolcontract: the working directory no longer exists.");
    return EXIT.failed;
  }
  const home = homeFolder() ?? false;
  const print = write(process.stdout);
  return runCommand(process.argv.slice(2), { cwd, home, env: process.env, print, warn });
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

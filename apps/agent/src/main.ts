#!/usr/bin/env node
// The command `toolcontract-agent`.
import { onInterrupt } from "./interrupt.ts";

const { stdin, stdout, stderr, env } = process;
const signal = onInterrupt(process);
// What renders for a terminal knows the other variable alone.
if ((env["NO_COLOR"] ?? "") !== "") env["FORCE_COLOR"] ??= "0";
// A reader may leave, as `head` does: what it does not read is lost, and the run goes on to its end.
for (const stream of [stdout, stderr]) stream.on("error", () => undefined);

// Loaded only now, so that Ctrl-C has its meaning from the start.
const { runCommand } = await import("./run-command.ts");
const exitCode = await runCommand(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  // It may be gone.
  cwd: () => process.cwd(),
  program: import.meta.dirname,
  signal,
});
// Everything is written and closed. What a tool or a library left behind must not keep the program alive.
process.exit(exitCode);

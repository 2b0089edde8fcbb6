import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Skipped } from "./attempt.ts";
import { runProcess } from "./run-process.ts";

/** Runtimes other than Node that npm has, and what they want before the name of a program. */
export const RUNTIMES = { bun: [], deno: ["run", "--allow-all"] } as const;

/** Installs a runtime from npm into an empty folder and returns the path of a command that runs a program as Node does. */
export async function installRuntime(name: keyof typeof RUNTIMES, folder: string): Promise<string> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", name];
  const bin = join(folder, "node_modules/.bin", name);
  try {
    await runProcess({ command: "npm", args, cwd: folder, seconds: 300 });
    await runProcess({ command: bin, args: ["--version"], cwd: folder });
  } catch (thrown) {
    throw new Skipped(`npm has no ${name} for this machine: ${String(thrown)}`);
  }
  const command = join(folder, `${name}-run`);
  const given = ["exec", JSON.stringify(bin), ...RUNTIMES[name], '"$@"'].join(" ");
  writeFileSync(command, `#!/bin/sh\n${given}\n`);
  chmodSync(command, 0o755);
  return command;
}

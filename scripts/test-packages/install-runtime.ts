import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Skipped } from "./attempt.ts";
import { runProcess } from "./run-process.ts";

/** Runtimes other than Node that npm has. */
export const RUNTIMES = [
  "bun",
  "deno",
  "workerd",
  "workerd with nodejs_compat",
  "workerd in a Durable Object",
] as const;

/** The name of a runtime. */
export type Runtime = (typeof RUNTIMES)[number];

interface Recipe {
  readonly packages: readonly string[];
  /** What starts, before the name of a program. */
  readonly command: (folder: string) => readonly string[];
}

const inBin = (folder: string, name: string): string => join(folder, "node_modules/.bin", name);

function inWorkerd(flags: string): Recipe {
  const runner = join(import.meta.dirname, "run-in-workerd.mjs");
  return {
    packages: ["miniflare@4", "esbuild@0"],
    command: (folder) => [process.execPath, runner, folder, flags],
  };
}

const RECIPES: Readonly<Record<Runtime, Recipe>> = {
  bun: { packages: ["bun"], command: (folder) => [inBin(folder, "bun")] },
  deno: {
    packages: ["deno"],
    command: (folder) => [inBin(folder, "deno"), "run", "--allow-all"],
  },
  workerd: inWorkerd(""),
  "workerd with nodejs_compat": inWorkerd("nodejs_compat"),
  "workerd in a Durable Object": inWorkerd("durable-object"),
};

/** Installs a runtime from npm into an empty folder and returns the path of a command that runs a program as Node does. */
export async function installRuntime(name: Runtime, folder: string): Promise<string> {
  const { packages, command } = RECIPES[name];
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const program = join(folder, "hello.mjs");
  writeFileSync(program, 'console.log("hello");\n');
  const path = join(folder, "run");
  const words = command(folder).map((word) => JSON.stringify(word));
  writeFileSync(path, `#!/bin/sh\n${["exec", ...words, '"$@"'].join(" ")}\n`);
  chmodSync(path, 0o755);
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  try {
    await runProcess({ command: "npm", args, cwd: folder, seconds: 300 });
    await runProcess({ command: path, args: [program], cwd: folder });
  } catch (thrown) {
    throw new Skipped(`npm has no ${name} for this machine: ${String(thrown)}`);
  }
  return path;
}

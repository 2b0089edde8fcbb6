import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Skipped } from "./attempt.ts";
import { runProcess } from "./run-process.ts";

/** Installs a Node from npm into an empty folder and returns the path of its binary. */
export async function installNode(version: number, folder: string): Promise<string> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const node = join(folder, "node_modules/node/bin/node");
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${version}`];
  try {
    await runProcess({ command: "npm", args, cwd: folder, seconds: 300 });
    const found = await runProcess({ command: node, args: ["--version"], cwd: folder });
    if (found.startsWith(`v${version}.`)) return node;
    throw new Error(`npm installed ${found.trim()}`);
  } catch (thrown) {
    throw new Skipped(`npm has no node@${version} for this machine: ${String(thrown)}`);
  }
}

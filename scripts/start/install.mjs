// Plain JavaScript: it runs in a clone where nothing is installed, on whatever Node is there from 20 up.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What the tests run on; only a whole install brings it. */
export const NODE = `${ROOT}node_modules/node/bin/node${process.platform === "win32" ? ".exe" : ""}`;

/** True after an install of all packages, of this lockfile or an older one. */
export const hasEverything = () => existsSync(NODE);

/** The text of a file of the repository, or undefined. */
export function textOf(path) {
  return existsSync(ROOT + path) ? readFileSync(ROOT + path, "utf8") : undefined;
}

/** True if the last install was of this lockfile; pnpm keeps a copy of what it installed. */
export const isCurrent = () => textOf("node_modules/.pnpm/lock.yaml") === textOf("pnpm-lock.yaml");

/** Runs `pnpm install`; what it prints goes to stderr, since a script's output may be read by a program. */
export function install(...flags) {
  const pnpm =
    process.env.npm_execpath?.includes("pnpm") === true ? process.env.npm_execpath : "pnpm";
  const [command, ...before] = /\.[cm]?js$/.test(pnpm) ? [process.execPath, pnpm] : [pnpm];
  const args = [...before, "install", "--config.confirm-modules-purge=false", ...flags];
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs the same command line on another Node, and ends with it. */
export async function continueOn(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
  // The terminal sends a signal to both; the child decides what it means.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  await new Promise(() => {
    child.on("exit", (code, signal) => {
      if (!signal) process.exit(code ?? 1);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
    child.on("error", (error) => {
      throw error;
    });
  });
}

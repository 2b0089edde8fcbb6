import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { NEVER_END, writeProgram } from "../test-packages/program.ts";
import { runProcess } from "../test-packages/run-process.ts";
import type { Quickstart, QuickstartProgram } from "./quickstarts.ts";

/** Who installs. */
export const MANAGERS = ["npm", "pnpm"] as const;
export type Manager = (typeof MANAGERS)[number];

const MODEL = pathToFileURL(join(import.meta.dirname, "model.mjs")).href;

/** What commands on pages read, which a reader would have. */
const FILES: Readonly<Record<string, string>> = {
  "tools.json": JSON.stringify({
    name: "search_issues",
    description: "Searches the issues of a repository and returns their titles.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "Words in the title or the text." } },
      required: ["query"],
    },
  }),
};

/** An empty folder of a reader, and the registry that it installs from. */
export interface Consumer {
  readonly folder: string;
  readonly manager: Manager;
}

/** Makes an empty folder that installs from a registry. */
export function createConsumer(folder: string, manager: Manager, npmrc: string): Consumer {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".npmrc"), npmrc);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  // pnpm waits a day before it installs a new version; ours is a minute old.
  const policy = "minimumReleaseAge: 0\nstrictDepBuilds: false\n";
  if (manager === "pnpm") writeFileSync(join(folder, "pnpm-workspace.yaml"), policy);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  return { folder, manager };
}

/** Installs packages as a page says, or with pnpm the same ones. */
export async function install(
  { folder, manager }: Consumer,
  packages: readonly string[],
): Promise<void> {
  const command = manager === "npm" ? "npm" : "npx";
  const args =
    manager === "npm"
      ? ["install", "--no-audit", "--no-fund", "--loglevel=error"]
      : ["-y", "pnpm@12", "add", "--reporter=append-only"];
  await runProcess({ command, args: [...args, ...packages], cwd: folder, seconds: 300 });
}

/** Runs the commands of a quickstart on a Node. */
export async function runCommands(
  { folder }: Consumer,
  { commands }: Quickstart,
  node: string,
): Promise<void> {
  for (const line of commands) {
    const [command = "", ...args] = line.split(" ");
    await runProcess({ command, args, cwd: folder, node });
  }
}

/**
 * Runs a program of a page as it stands there on a Node; a model answers what it asks.
 *
 * @param packages - What is installed.
 * @throws Error if it fails, prints something else than the page shows, or has a model read an error that is not the contract's.
 */
export async function runQuickstart(
  { folder }: Consumer,
  { source, output }: QuickstartProgram,
  { node, name, packages }: { node: string; name: string; packages: readonly string[] },
): Promise<void> {
  const place = { folder, node };
  const path = writeProgram(source, "esm", name, place);
  // What exports is a module of a server, whose connections stay open.
  const staysOpen = /^export /m.test(source) || packages.some((one) => NEVER_END.includes(one));
  const main = join(folder, `${name}-main.mjs`);
  if (staysOpen) writeFileSync(main, `await import(${JSON.stringify(path)});\nprocess.exit();\n`);
  const args = ["--import", MODEL, staysOpen ? main : path];
  const printed = await runProcess({ command: node, args, cwd: folder });
  if (output !== undefined && printed.trimEnd() !== output)
    throw new Error(`It prints\n${printed}instead of\n${output}`);
}

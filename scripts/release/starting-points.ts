import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { programsApart } from "../../docs/fences.ts";
import { POSTGRES_URL, WHY_NO_POSTGRES } from "@toolcontract/postgres-server";
import { Skipped } from "../test-packages/attempt.ts";
import { type ProcessToRun, runProcess } from "../test-packages/run-process.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");
const MODEL = pathToFileURL(join(import.meta.dirname, "model.mjs")).href;

type Run = (script: string, more?: Pick<ProcessToRun, "input" | "env">) => Promise<string>;

/** What each example is put through once it is installed: its own scripts, with a model that answers. */
const TRIALS: Readonly<Record<string, (run: Run, folder: string, node: string) => Promise<void>>> =
  {
    "nextjs-chat": async (run) => void (await run("build")),
    "cloudflare-worker": async (run, folder) => {
      await run("check");
      await compilePageOfAgents(folder);
    },
    "langgraph-person": async (run) => {
      await run("check");
      await ask(run, {});
    },
    "own-loop-money": async (run) => {
      await run("check");
      if (WHY_NO_POSTGRES !== undefined) throw new Skipped(WHY_NO_POSTGRES);
      await ask(run, { DATABASE_URL: POSTGRES_URL });
    },
    "mcp-proxy": async (run, folder, node) => {
      const server = spawn(node, ["server.ts"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const closed = once(server, "close");
      try {
        await once(server.stdout, "data");
        await run("check");
      } finally {
        server.kill();
        await closed;
      }
    },
  };

/** The folders of the examples. */
export function startingPointNames(): readonly string[] {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((one) => one.isDirectory());
  return folders.map(({ name }) => name);
}

/** Copies an example, installs it from a registry and runs it as its README says. */
export async function tryStartingPoint(
  name: string,
  { folder, npmrc, node }: { folder: string; npmrc: string; node: string },
): Promise<void> {
  const trial = TRIALS[name];
  if (trial === undefined) throw new Error(`Nothing says how '${name}' is tried`);
  cpSync(join(EXAMPLES, name), folder, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  writeFileSync(join(folder, ".npmrc"), npmrc);
  const npm = async (args: readonly string[], more: object = {}): Promise<string> =>
    runProcess({ command: "npm", args, cwd: folder, node, seconds: 600, ...more });
  await npm(["install", "--no-audit", "--no-fund", "--loglevel=error"]);
  await trial(async (script, more) => npm(["run", script], more), folder, node);
}

/** A person types one line, and a model answers that reads a refusal. */
async function ask(run: Run, env: Readonly<Record<string, string>>): Promise<void> {
  const more = { input: "Pay Ann 5\n", env: { ...env, NODE_OPTIONS: `--import ${MODEL}` } };
  const printed = await run("start", more);
  if (!printed.includes("Done.")) throw new Error(`It prints\n${printed}`);
}

/** The program on the page of Cloudflare Agents is for a worker, and has its types nowhere else. */
async function compilePageOfAgents(worker: string): Promise<void> {
  const page = programsApart().find(({ name }) => name.startsWith("docs/cloudflare-agents.md"));
  if (page === undefined) throw new Error("The page of Cloudflare Agents has no program");
  const install = ["install", "--no-save", "--legacy-peer-deps", "--loglevel=error"];
  const packages = ["agents", "@cloudflare/workers-types"];
  await runProcess({ command: "npm", args: [...install, ...packages], cwd: worker, seconds: 600 });
  const folder = join(worker, "page");
  mkdirSync(folder);
  writeFileSync(join(folder, "page.ts"), page.program);
  const compilerOptions = {
    target: "ES2023",
    lib: ["ES2023"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: "esnext",
    moduleResolution: "bundler",
    types: ["@cloudflare/workers-types"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  await runProcess({ command: "npx", args: ["tsc", "-p", "page"], cwd: worker, seconds: 120 });
}

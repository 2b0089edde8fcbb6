// Frameworks that are too large for everybody's installation: the report installs each into a folder of its own.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Example, programsApart } from "../../../docs/fences.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAMS = join(import.meta.dirname, "../apart");
const OWN = {
  "ai-sdk": "packages/ai-sdk",
  conformance: "packages/conformance",
  core: "packages/core",
  graded: "internal/graded",
  mcp: "packages/mcp",
};

/** The packages of a framework with their exact versions. */
export type Packages = Readonly<Record<string, string>>;

/** Installs a framework, compiles its programs, and returns the file that exports them. */
export function openApart(framework: string, packages: Packages): string {
  const folder = join(ROOT, ".artifacts/apart", framework);
  install(folder, packages);
  const file = join(folder, `${framework}.ts`);
  const sources = readdirSync(PROGRAMS).filter((name) => name.startsWith(`${framework}.`));
  for (const name of sources) copyFileSync(join(PROGRAMS, name), join(folder, name));
  const page = programsApart().find(({ name }) => name.startsWith(`docs/${framework}.md`));
  // Cloudflare's runs in a worker, whose types are not those of Node: the rehearsal of a release compiles it.
  const isForNode = page !== undefined && framework !== "cloudflare-agents";
  // What VoltAgent opens stays open.
  if (isForNode) writeFileSync(join(folder, "page.ts"), `${page.program}\nprocess.exit();\n`);
  compile(folder);
  if (isForNode) compare(page, run(process.execPath, ["page.ts"], folder));
  return file;
}

/** The program of a page prints what the page shows. */
function compare({ name, output = "" }: Example, printed: string): void {
  if (printed.trimEnd() !== output)
    throw new Error(`${name} prints\n${printed}instead of\n${output}`);
}

function install(folder: string, packages: Packages): void {
  const done = join(folder, "node_modules/.installed");
  const manifest = JSON.stringify({ private: true, type: "module", dependencies: packages });
  if (existsSync(done) && readFileSync(done, "utf8") === manifest) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), manifest);
  // What runs natively is an optional part of its package.
  const flags = packages["esbuild"]
    ? ["--legacy-peer-deps"]
    : ["--omit=optional", "--ignore-scripts"];
  run("npm", ["install", ...flags, "--no-audit", "--no-fund", "--loglevel=error"], folder);
  const scope = join(folder, "node_modules/@toolcontract");
  mkdirSync(scope, { recursive: true });
  for (const [name, path] of Object.entries(OWN)) symlinkSync(join(ROOT, path), join(scope, name));
  writeFileSync(done, manifest);
}

/** The programs share their code with pages, so they must compile. */
function compile(folder: string): void {
  const settings = {
    extends: join(ROOT, "tsconfig.base.json"),
    compilerOptions: { types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] },
    include: ["*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  run(join(ROOT, "node_modules/.bin/tsc"), ["-p", "."], folder);
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`${command} in ${cwd} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

// Runs the tests of one adapter, or of all, on the newest versions of its framework that the registry has: in a clone of the last
// commit, since the lockfile here says which versions the repository is built with.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { FAILURES_FILE } from "../gates/failures.ts";
import { runCommand } from "../gates/run.ts";
import { FRAMEWORKS, peersIn, withVersions } from "./catalog.ts";

const REPORTS = resolve(".artifacts/newest");
mkdirSync(REPORTS, { recursive: true });

const adapters = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(FRAMEWORKS);
for (const adapter of adapters) {
  const framework = FRAMEWORKS[adapter];
  if (framework === undefined) {
    throw new Error(`No adapter "${adapter}"; there are ${Object.keys(FRAMEWORKS).join(", ")}.`);
  }
  if (!(await testOnNewest(adapter, framework))) process.exitCode = 1;
}

async function testOnNewest(adapter: string, framework: RegExp): Promise<boolean> {
  const clone = realpathSync(mkdtempSync(join(tmpdir(), `toolcontract-newest-${adapter}-`)));
  try {
    await must(`git clone --quiet --depth 1 file://${resolve(".")} ${clone}`);
    const versions = await raisePeers(join(clone, "pnpm-workspace.yaml"), framework);
    const list = [...versions].map(([name, version]) => `${name} ${version}`).join(", ");
    console.log(`${adapter} on ${list}`);
    const installed = await runIn(clone, "npx -y pnpm@12 install --no-frozen-lockfile");
    const failures = installed.ok ? await failuresIn(clone, adapter) : ["The peers do not install"];
    if (failures.length === 0) return true;
    writeReport(adapter, list, failures);
    return false;
  } finally {
    rmSync(clone, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function raisePeers(file: string, framework: RegExp): Promise<ReadonlyMap<string, string>> {
  const workspace = readFileSync(file, "utf8");
  const versions = new Map<string, string>();
  for (const name of peersIn(workspace, framework)) {
    versions.set(name, (await must(`npm view ${name} version`)).trim());
  }
  writeFileSync(file, withVersions(workspace, versions));
  return versions;
}

async function failuresIn(clone: string, adapter: string): Promise<readonly string[]> {
  const file = join(clone, "failures.json");
  const reporters = "--reporter=default --reporter=./scripts/gates/failures.ts";
  const { ok } = await runIn(clone, `vitest run ${reporters} packages/${adapter}/`, {
    [FAILURES_FILE]: file,
  });
  if (ok) return [];
  const failures = JSON.parse(readFileSync(file, "utf8")) as readonly string[];
  return failures.length > 0 ? failures : ["The tests did not run to their end"];
}

/** The title in the first line, its text in the others. */
function writeReport(adapter: string, peers: string, failures: readonly string[]): void {
  const [first = ""] = failures;
  const [test] = first.split(/: /);
  const text = [
    `${adapter} fails on the newest of its framework: ${test}`,
    "",
    `\`pnpm test:newest ${adapter}\` with ${peers}: ${failures.length} failed. The first:`,
    "",
    ...first.split("\n").map((line) => `    ${line}`),
  ];
  writeFileSync(join(REPORTS, `${adapter}.md`), `${text.join("\n")}\n`);
  console.log(text.join("\n"));
}

/** The clone's own commands come first. */
function runIn(
  clone: string,
  command: string,
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof runCommand> {
  const path = [join(clone, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  return runCommand(command, { cwd: clone, env: { PATH: path, ...env } });
}

async function must(command: string): Promise<string> {
  const { ok, stdout, output } = await runCommand(command, { keepsOutput: true });
  if (!ok) throw new Error(`${command}\n${output}`);
  return stdout;
}

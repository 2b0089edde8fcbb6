// Packs and installs every package as users get it, and runs its README on every supported Node; only the projects whose
// names contain an argument, if there are any.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishedPackages } from "../published.ts";
import { attempt, type Outcome } from "./attempt.ts";
import { checkBundled } from "./check-bundled.ts";
import { checkManifest } from "./check-manifest.ts";
import { inTurns } from "./in-turns.ts";
import { installRuntime, type Runtime, RUNTIMES } from "./install-runtime.ts";
import { installNode } from "./install-node.ts";
import { installProject } from "./install-project.ts";
import { type Installed } from "./place.ts";
import { packPackages } from "./pack-packages.ts";
import { PROJECTS } from "./projects.ts";
import { type Project } from "./project.ts";

const NODES = [20, 22, 24, 26];

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-packages-")));
const counts: Record<Outcome, number> = { passed: 0, failed: 0, skipped: 0 };
const folderOf = (name: string): string => {
  const folder = join(root, name.replaceAll(/\W+/g, "-"));
  mkdirSync(folder);
  return folder;
};

/** Runs one cell and counts it. */
async function cell(name: string, run: () => Promise<void> | void): Promise<void> {
  counts[await attempt(name, run)] += 1;
}

/** The command of each runtime that can be installed; the others are reported. */
async function installRuntimes(
  wanted: ReadonlySet<Runtime>,
): Promise<ReadonlyMap<Runtime, string>> {
  const found = new Map<Runtime, string>();
  const known = RUNTIMES.filter((name) => wanted.has(name));
  await inTurns(known, async (name) => {
    await cell(name, async () => {
      found.set(name, await installRuntime(name, folderOf(name)));
    });
  });
  return found;
}

/** The path of each Node that can be installed; the others are reported. */
async function installNodes(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await inTurns(NODES, async (version) => {
    await cell(`Node ${version}`, async () => {
      found.set(`Node ${version}`, await installNode(version, folderOf(`node-${version}`)));
    });
  });
  await cell("there is a Node to run on", () => assert.notEqual(found.size, 0));
  return new Map([...found].toSorted(([one], [other]) => one.localeCompare(other)));
}

async function runProject(
  project: Project,
  tarballs: ReadonlyMap<string, string>,
  nodes: ReadonlyMap<string, string>,
  runtimes: ReadonlyMap<Runtime, string>,
): Promise<void> {
  let installed: Installed | undefined;
  await cell(`${project.name}: installs`, async () => {
    installed = await installProject(project, tarballs, folderOf(project.name));
  });
  if (installed === undefined) return;
  const { fromNode = 0, runsIn = [] } = project;
  const own = [...nodes].filter(([version]) => Number(version.slice("Node ".length)) >= fromNode);
  for (const { name, run } of project.cells) {
    const others = [...runtimes].filter(([one]) => runsIn.includes(one) && name.endsWith("esm"));
    for (const [version, node] of [...own, ...others]) {
      const place = { ...installed, node };
      await cell(`${project.name}: ${name}, ${version}`, () => run(place));
    }
  }
}

const tarballs = await packPackages(folderOf("tarballs"));
for (const published of publishedPackages()) {
  const { name } = published;
  const tarball = tarballs.get(name) ?? "";
  await cell(`${name}: manifest and files`, () => checkManifest(published, tarball));
  await cell(`${name}: types and what is bundled`, () => checkBundled(tarball));
}
const nodes = await installNodes();
const wanted = process.argv.slice(2);
const projects = PROJECTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
const runtimes = await installRuntimes(new Set(projects.flatMap(({ runsIn = [] }) => runsIn)));
await inTurns(projects, (project) => runProject(project, tarballs, nodes, runtimes));

if (counts.failed === 0) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
else console.log(`The installed projects are kept in ${root}`);
if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

// Rehearses a release on a registry of this machine: a clone of the last commit is versioned, packed and published as the workflow does
// it, then every quickstart of every README and page, and every package in `examples`, is installed and run as a reader would. `--all` takes every range of every peer, by both
// package managers and on every supported Node; another argument takes only the pages whose path contains it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type RedisServer, startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { attempt, type Outcome, Skipped } from "../test-packages/attempt.ts";
import { inTurns } from "../test-packages/in-turns.ts";
import { installNode } from "../test-packages/install-node.ts";
import { runProcess } from "../test-packages/run-process.ts";
import { type Consumer, createConsumer, install, runCommands, runQuickstart } from "./consumer.ts";
import { planVisits, type Visit } from "./plan.ts";
import { allQuickstarts, type Quickstart } from "./quickstarts.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { startingPointNames, tryStartingPoint } from "./starting-points.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const given = process.argv.slice(2);
const isWhole = given.includes("--all");
const wanted = given.filter((argument) => !argument.startsWith("--"));
const NODES = isWhole ? [20, 22, 24, 26] : [20, 22, 24];

const started = Date.now();
const root = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-rehearsal-")));
const counts: Record<Outcome, number> = { passed: 0, failed: 0, skipped: 0 };
const cell = async (name: string, run: () => Promise<void>): Promise<boolean> => {
  const outcome = await attempt(name, run);
  counts[outcome] += 1;
  return outcome === "passed";
};
const nodes = new Map<number, string>();
let registry: Registry | undefined;
/** The server that pages name, if it can be started. */
let redis: RedisServer | undefined;

try {
  const tarballs = join(root, "tarballs");
  const isPublished = await cell("versions and packs", () => pack(tarballs));
  await cell("a registry", async () => {
    registry = await startRegistry(join(root, "registry"));
  });
  if (isPublished && registry !== undefined) {
    const { npmrc } = registry;
    if (await cell("publishes", () => publish(tarballs, npmrc))) await rehearse(npmrc);
  }
} finally {
  await registry?.close();
  await redis?.stop();
}

if (counts.failed === 0) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
else console.log(`Everything is kept in ${root}`);
console.log(`${Math.round((Date.now() - started) / 1000)} s, ${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** Versions and packs a clone as the workflow does, so that this checkout stays as it is. */
async function pack(tarballs: string): Promise<void> {
  const clone = join(root, "clone");
  const pnpm = (...args: readonly string[]): Promise<string> =>
    runProcess({ command: "npx", args: ["-y", "pnpm@12", ...args], cwd: clone, seconds: 600 });
  await runProcess({
    command: "git",
    args: ["clone", "--quiet", ROOT, clone],
    cwd: root,
    seconds: 120,
  });
  await pnpm("install", "--frozen-lockfile", "--prefer-offline");
  await pnpm("version-packages");
  await pnpm("release:pack", tarballs);
}

/** Runs the step of the workflow that publishes. */
async function publish(tarballs: string, npmrc: string): Promise<void> {
  const workflow = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");
  const [, indent = "", block = ""] =
    /^( +)- name: Publish\n(?:.*\n)*?\s+run: \|\n((?: {10}.*\n?)+)/m.exec(workflow) ?? [];
  if (block === "") throw new Error("release.yml has no step named Publish");
  const folder = join(root, "publish");
  mkdirSync(folder);
  // Without a manifest npm would look for its settings in a folder above.
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, ".npmrc"), npmrc);
  const script = block.replaceAll(new RegExp(`^${indent}    `, "gm"), "");
  const run = `set -e\nln -s ${tarballs} tarballs\n${script}`;
  await runProcess({ command: "bash", args: ["-c", run], cwd: folder, seconds: 300 });
}

async function rehearse(npmrc: string): Promise<void> {
  await inTurns(NODES, async (version) => {
    await cell(`Node ${version}`, async () => {
      const folder = join(root, `node-${version}`);
      mkdirSync(folder);
      nodes.set(version, await installNode(version, folder));
    });
  });
  redis = await startRedis(6_379).catch(() => undefined);
  const quickstarts = allQuickstarts().filter(
    ({ page }) => wanted.length === 0 || wanted.some((part) => page.includes(part)),
  );
  const visits = planVisits(quickstarts, { nodes: NODES, isWhole });
  await inTurns([...visits.entries()], async ([index, visit]) =>
    receive(visit, createConsumer(join(root, `reader-${index}`), visit.manager, npmrc)),
  );
  const examples = startingPointNames().filter(
    (name) => wanted.length === 0 || wanted.some((part) => `examples/${name}`.includes(part)),
  );
  const node = nodes.get(24);
  if (node === undefined) return;
  await inTurns(examples, async (name) => {
    await cell(`examples/${name}`, () =>
      tryStartingPoint(name, { folder: join(root, name), npmrc, node }),
    );
  });
}

/** Installs once, then runs the quickstarts that share the install. */
async function receive(
  { manager, variant, quickstarts, nodes: versions }: Visit,
  consumer: Consumer,
): Promise<void> {
  const how = `${manager}, ${variant.name}`;
  const name = `${quickstarts.map(nameOf).join(" and ")}, ${how}`;
  if (!(await cell(`${name}: installs`, () => install(consumer, variant.packages)))) return;
  const [oldest] = nodes.values();
  for (const [order, quickstart] of quickstarts.entries()) {
    const shown = `${nameOf(quickstart)}, ${how}`;
    if (quickstart.commands.length > 0 && oldest !== undefined)
      await cell(`${shown}: commands`, () => runCommands(consumer, quickstart, oldest));
    for (const version of versions) {
      const node = nodes.get(version);
      if (node === undefined) continue;
      for (const [at, program] of quickstart.programs.entries())
        await cell(`${shown}: program ${at + 1}, Node ${version}`, async () => {
          if (redis === undefined && program.source.includes("redis://127.0.0.1:6379"))
            throw new Skipped(WHY_NO_REDIS ?? "port 6379 is taken");
          if (program.source.includes('from "agents"')) throw new Skipped("it runs in a worker");
          const { packages } = variant;
          await runQuickstart(consumer, program, {
            node,
            name: `program-${order}-${at + 1}`,
            packages,
          });
        });
    }
  }
}

function nameOf({ page, number }: Quickstart): string {
  return number === 1 ? page : `${page} ${number}`;
}

// Packs every package and checks the tarballs in one process: loading what judges them takes longer than judging.
// Prints a line for each fault, and last the tally as JSON.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { type Published, publishedPackages } from "../published.ts";
import { checkBundled } from "../test-packages/check-bundled.ts";

interface Manifest {
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
}

const run = promisify(execFile);
let passed = 0;
let failed = 0;

for (const one of publishedPackages()) {
  const tarball = await packed(one);
  const data = readFileSync(tarball);
  report(`publint ${one.name}`, await publintFaults(data));
  report(`bundled ${one.name}`, await bundleFaults(tarball));
  // A command has nothing to import.
  if (one.hasExports) report(`attw ${one.name}`, await typeFaults(one, data));
}
console.log(JSON.stringify({ passed, failed }));

function report(check: string, faults: readonly string[]): void {
  if (faults.length === 0) passed += 1;
  else failed += 1;
  for (const fault of faults) console.log(`${check}: ${fault}`);
}

/** What npm would publish. */
async function packed({ name, folder }: Published): Promise<string> {
  const tarball = resolve(`.artifacts/${name}.tgz`);
  await run("pnpm", ["pack", "--out", tarball], { cwd: folder });
  passed += 1;
  return tarball;
}

async function publintFaults(data: Buffer): Promise<readonly string[]> {
  const tarball = new Uint8Array(data).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages
    .filter(({ type }) => type !== "suggestion")
    .map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function bundleFaults(tarball: string): Promise<readonly string[]> {
  try {
    await checkBundled(tarball);
    return [];
  } catch (thrown) {
    return [(thrown as Error).message];
  }
}

/** Whether types and modules resolve in every module system since Node 12. */
async function typeFaults({ folder }: Published, data: Buffer): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(data));
  if (analysis.types === false) return ["It has no types."];
  const { publishConfig } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest;
  /** An entry for test runners that are ES modules themselves has no other build. */
  const isEsmOnly = (entry: string): boolean =>
    !("require" in Object(publishConfig?.exports?.[entry]));
  return analysis.problems
    .filter(
      (problem) =>
        !("resolutionKind" in problem) ||
        (problem.resolutionKind !== "node10" &&
          !(problem.resolutionKind === "node16-cjs" && isEsmOnly(problem.entrypoint))),
    )
    .map((problem) => JSON.stringify(problem));
}

import assert from "node:assert/strict";
import { builtinModules } from "node:module";
import { dirname } from "node:path";
import { runProcess } from "./run-process.ts";

const LICENSES = "package/dist/THIRD-PARTY-LICENSES.txt";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Throws if a tarball contains another package without its licence, or types of one that is not installed with it. */
export async function checkBundled(tarball: string): Promise<void> {
  const cwd = dirname(tarball);
  const tar = (...args: string[]): Promise<string> => runProcess({ command: "tar", args, cwd });
  const files = (await tar("-tzf", tarball)).trim().split("\n");
  const read = async (ending: RegExp): Promise<string> =>
    tar("-xzOf", tarball, ...files.filter((file) => ending.test(file)));

  // The build names the source file of each part.
  const bundled = namesIn(
    await read(/\.c?js$/),
    /(?:^|[;}])\/\/ .*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
  );
  const licenses = files.includes(LICENSES) ? await tar("-xzOf", tarball, LICENSES) : "";
  assert.deepEqual(bundled, namesIn(licenses, /^(\S+) \d+\.\d+\.\d+ \([\w.-]+\)$/gm), "licences");

  const manifest = JSON.parse(await tar("-xzOf", tarball, "package/package.json")) as Manifest;
  const { dependencies, peerDependencies } = manifest;
  const installed = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  const typed = namesIn(
    await read(/\.d\.c?ts$/),
    /(?:from|import\()\s*["']((?:@[^/"']+\/)?[^./"'][^/"']*)/g,
  );
  const missing = typed.filter((name) => !installed.has(name) && !isBuiltin(name));
  assert.deepEqual(missing, [], "types of packages that are not installed");
}

function namesIn(text: string, expression: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(expression)].map(([, name = ""]) => name))].toSorted();
}

function isBuiltin(name: string): boolean {
  return name.startsWith("node:") || builtinModules.includes(name);
}

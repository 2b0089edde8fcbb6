import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Published, publishedPackages } from "../published.ts";
import type { Gate } from "./run.ts";

const BUILD = "build";

/** Builds every package and checks the tarball that would be published. */
export function packageGates(): readonly Gate[] {
  return [
    { name: BUILD, command: "turbo run build" },
    ...publishedPackages().flatMap(tarballGates),
    { name: "size of the packages", command: "size-limit", needs: BUILD },
  ];
}

function tarballGates({ name, folder, hasExports }: Published): readonly Gate[] {
  const tarball = resolve(`.artifacts/${name}.tgz`);
  const pack = `pack ${name}`;
  const attw = `attw --profile ${profileOf(folder)} ${tarball}`;
  return [
    { name: pack, command: `pnpm pack --out ${tarball}`, cwd: folder, needs: BUILD },
    { name: `publint ${name}`, command: `publint --strict ${tarball}`, needs: pack },
    // A command has nothing to import.
    ...(hasExports ? [{ name: `attw ${name}`, command: attw, needs: pack }] : []),
  ];
}

/** The module systems to check: all since Node 10, or only ES modules for a package without CommonJS. */
function profileOf(folder: string): string {
  const manifest = readFileSync(`${folder}/package.json`, "utf8");
  return manifest.includes('"require"') ? "node16" : "esm-only";
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Gate } from "./run.ts";

const BUILD = "build";

/** Builds every package and checks the tarball that would be published. */
export function packageGates(): readonly Gate[] {
  const packages = readdirSync("packages").filter((name) =>
    existsSync(`packages/${name}/package.json`),
  );
  return [
    { name: BUILD, command: "turbo run build" },
    ...packages.flatMap(tarballGates),
    { name: "size of the packages", command: "size-limit", needs: BUILD },
  ];
}

function tarballGates(name: string): readonly Gate[] {
  const tarball = resolve(`.artifacts/${name}.tgz`);
  const pack = `pack ${name}`;
  return [
    { name: pack, command: `pnpm pack --out ${tarball}`, cwd: `packages/${name}`, needs: BUILD },
    { name: `publint ${name}`, command: `publint --strict ${tarball}`, needs: pack },
    { name: `attw ${name}`, command: `attw --profile ${profileOf(name)} ${tarball}`, needs: pack },
  ];
}

/** The module systems to check: all since Node 10, or only ES modules for a package without CommonJS. */
function profileOf(name: string): string {
  const manifest = readFileSync(`packages/${name}/package.json`, "utf8");
  return manifest.includes('"require"') ? "node16" : "esm-only";
}

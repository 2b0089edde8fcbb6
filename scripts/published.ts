import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

/** A package that goes to the registry. */
export interface Published {
  /** The name of its folder. */
  readonly name: string;
  /** Its folder in the repository. */
  readonly folder: string;
  /** Its name in the registry. */
  readonly npmName: string;
  readonly hasExports: boolean;
}

/** Every package and application that is not private. */
export function publishedPackages(): readonly Published[] {
  const manifests = globSync("{packages,apps}/*/package.json", { cwd: ROOT }).toSorted();
  return manifests.flatMap((path) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as {
      readonly name: string;
      readonly private?: boolean;
      readonly exports?: object;
    };
    if (manifest.private === true) return [];
    const folder = dirname(path);
    const hasExports = manifest.exports !== undefined;
    return [{ name: basename(folder), folder, npmName: manifest.name, hasExports }];
  });
}

/** The name in the registry of the package in a folder of this name. */
export function npmNameOf(name: string): string {
  const found = publishedPackages().find((one) => one.name === name);
  if (found) return found.npmName;
  throw new Error(`There is no published package in a folder named ${name}`);
}

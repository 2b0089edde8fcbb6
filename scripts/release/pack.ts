// Builds and packs every package into a folder: `pnpm release:pack FOLDER`. The names sort in the order of publication, so that what
// a package depends on is there before it.
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { publishedPackages } from "../published.ts";
import { repositoryAddress, writeAddress } from "./address.ts";
import { packPackages } from "../test-packages/pack-packages.ts";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error("Name the folder: pnpm release:pack FOLDER");
const folder = resolve(given);
mkdirSync(folder, { recursive: true });
const address = repositoryAddress(".");
if (address === undefined)
  console.error('npm publishes with provenance only if "repository.url" is set in package.json.');
const restore = address === undefined ? () => undefined : writeAddress(".", address);
const tarballs = await packPackages(folder).finally(restore);
for (const [index, name] of inOrder().entries()) {
  const number = String(index + 1).padStart(2, "0");
  const target = join(folder, `${number}-${name}.tgz`);
  renameSync(tarballs.get(name) ?? "", target);
  console.log(target);
}

/** The packages by folder name, each after those that it needs. */
function inOrder(): readonly string[] {
  const packages = publishedPackages();
  const order: string[] = [];
  const visit = (name: string): void => {
    const found = packages.find((one) => one.npmName === name);
    if (found === undefined || order.includes(found.name)) return;
    const text = readFileSync(join(found.folder, "package.json"), "utf8");
    const { dependencies, peerDependencies } = JSON.parse(text) as Manifest;
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) visit(needed);
    order.push(found.name);
  };
  for (const { npmName } of packages) visit(npmName);
  return order;
}

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../../..");
const OWN = "@toolcontract/";

/** The packages of this repository, installed in a separate folder as from the registry. */
export interface StagedPackages {
  readonly folder: string;
  readonly names: readonly string[];
  /** The source entry of a package. */
  readonly sourceOf: (name: string) => string;
  /** The peer dependencies of a package. */
  readonly peersOf: (name: string) => readonly string[];
  readonly remove: () => void;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly scripts: { readonly build: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Builds all packages like a release and installs them next to their dependencies. */
export async function stagePackages(): Promise<StagedPackages> {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-staged-"));
  const sources = readdirSync(join(ROOT, "packages"))
    .map((name) => join(ROOT, "packages", name))
    .filter((path) => existsSync(join(path, "src/index.ts")));
  const manifests = await Promise.all(sources.map(async (source) => stage(source, folder)));
  linkAll(join(ROOT, "bench/node_modules"), join(folder, "node_modules"));
  const peers = new Map(
    manifests.map(({ name, peerDependencies = {} }) => [name, Object.keys(peerDependencies)]),
  );
  const names = [...peers.keys()];
  return {
    folder,
    names,
    sourceOf: (name) => join(sources[names.indexOf(name)] ?? "", "src/index.ts"),
    peersOf: (name) => (peers.get(name) ?? []).filter((peer) => !peer.startsWith(OWN)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function stage(source: string, folder: string): Promise<Manifest> {
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest;
  const target = join(folder, "node_modules", manifest.name);
  const { dependencies = {}, peerDependencies = {}, scripts } = manifest;
  await build({
    // The manifest names the entries and the imports to keep, as for a release.
    entryPoints: [...new Set(scripts.build.match(/src\/\S+\.ts/g))].map((path) =>
      join(source, path),
    ),
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    outbase: join(source, "src"),
    outdir: join(target, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    platform: "node",
    logLevel: "error",
  });
  const entries = Object.entries(manifest.exports).filter(([, path]) => path.endsWith(".ts"));
  const exports = Object.fromEntries(entries.map(([name, path]) => [name, builtPath(path)]));
  const built = { name: manifest.name, type: "module", sideEffects: false, exports };
  writeFileSync(join(target, "package.json"), JSON.stringify(built));
  linkAll(join(source, "node_modules"), join(target, "node_modules"));
  return manifest;
}

function builtPath(source: string): string {
  return source.replace("./src/", "./dist/").replace(/\.ts$/, ".js");
}

/** Links a package's dependencies, except those of this repository. */
function linkAll(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name.startsWith(".") || `${name}/` === OWN) continue;
    const names = name.startsWith("@")
      ? readdirSync(join(from, name)).map((part) => `${name}/${part}`)
      : [name];
    for (const one of names) {
      mkdirSync(dirname(join(to, one)), { recursive: true });
      symlinkSync(join(from, one), join(to, one));
    }
  }
}

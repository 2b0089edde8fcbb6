import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** What is built. */
export interface CommandSource {
  /** The folder of the package. */
  readonly folder: string;
  /** The file that starts the command, relative to the folder. */
  readonly entry: string;
  /** What stays outside too, such as clients that only tests need. */
  readonly external?: readonly string[];
}

/** A command that was built. */
export interface BuiltCommand {
  /** The folder of the built files. */
  readonly folder: string;
  readonly remove: () => void;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/** Builds a command as it is published: what it depends on stays outside, but for our own packages. */
export async function buildCommand({
  folder,
  entry,
  external = [],
}: CommandSource): Promise<BuiltCommand> {
  const file = join(folder, "package.json");
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  // From here dependencies resolve, and git does not see it.
  const cache = join(folder, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const built = mkdtempSync(join(cache, "command-"));
  const outdir = join(built, "dist");
  const result = {
    folder: outdir,
    remove: () => rmSync(built, { recursive: true, force: true }),
  };
  // A command reads its version from here.
  copyFileSync(file, join(built, "package.json"));
  // `pnpm mutate` changes a file as a process loads it, which no process does from a bundle.
  if (process.env["MUTATE_SOURCES"] !== undefined) {
    const source = pathToFileURL(join(folder, entry)).href;
    mkdirSync(outdir);
    writeFileSync(join(outdir, `${parse(entry).name}.js`), `import ${JSON.stringify(source)};\n`);
    return result;
  }
  await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    // The CommonJS form of some packages requires files that a bundle does not have.
    mainFields: ["module", "main"],
    external: [...Object.keys({ ...dependencies, ...peerDependencies }), ...external].filter(
      (name) => !name.startsWith("@toolcontract/"),
    ),
    // What our packages depend on is partly CommonJS.
    banner: { js: REQUIRE },
    logLevel: "warning",
  });
  return result;
}

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { build, type BuildOptions } from "esbuild";
import type { Benchmark, Table } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { stagePackages, type StagedPackages } from "../cold/stage-packages.ts";

const compress = promisify(gzip);
const COMPARED: readonly (readonly [name: string, program: string])[] = [
  [
    "@toolcontract/core, createContract only",
    'export { createContract } from "@toolcontract/core";',
  ],
  ["zod", 'export * from "zod";'],
  ["ajv with ajv-formats", 'export * from "ajv"; export { default as f } from "ajv-formats";'],
];

/** Measures what a package adds to a bundle. */
export const bundleSize: Benchmark = {
  name: "bundle-size",
  about: "everything that a package exports, bundled and minified by esbuild",
  async run() {
    const staged = await stagePackages();
    try {
      return await sizesOf(staged);
    } finally {
      staged.remove();
    }
  },
};

async function sizesOf(staged: StagedPackages): Promise<readonly Table[]> {
  const { folder, names, peersOf, sourceOf } = staged;
  const ownCode: Row[] = [];
  const whole: Row[] = [];
  for (const name of names) {
    // A built package may contain others; the sources import them.
    const own = `export * from ${JSON.stringify(sourceOf(name))};`;
    ownCode.push(...(await rowsFor(name, own, folder, { packages: "external" })));
    const all = `export * from ${JSON.stringify(name)};`;
    whole.push(...(await rowsFor(name, all, folder, { external: [...peersOf(name)] })));
  }
  for (const [name, program] of COMPARED) {
    whole.push(...(await rowsFor(name, program, folder, {})));
  }
  return [
    { title: "own code", rows: ownCode },
    { title: "with dependencies, without the framework", rows: whole },
  ];
}

async function rowsFor(
  name: string,
  contents: string,
  folder: string,
  options: Pick<BuildOptions, "external" | "packages">,
): Promise<readonly Row[]> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2022",
    logLevel: "error",
    ...options,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild has no output for ${name}.`);
  const { length } = await compress(file.contents);
  return [
    { name: `${name}, minified`, value: file.contents.length / 1_000, unit: "kB" },
    { name: `${name}, gzipped`, value: length / 1_000, unit: "kB" },
  ];
}

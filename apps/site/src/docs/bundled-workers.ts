import { globSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import { type Plugin } from "vitepress";
import { ROOT } from "./repository.ts";

const PLAYGROUND = join(ROOT, "apps/site/src/playground");
const IMPORTED = "?worker&url";
const ID = "\0bundled-worker:";

/**
 * Bundles the workers that are imported with `?worker&url`, and exports their addresses. Vite would bundle each by
 * itself, and take ten times as long for the frameworks in them.
 */
export function bundledWorkers(base: string): Plugin {
  let addresses: Promise<ReadonlyMap<string, string>> | undefined;
  return {
    name: "bundled-workers",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer) {
      if (!source.endsWith(IMPORTED)) return undefined;
      const worker = await this.resolve(source.slice(0, -IMPORTED.length), importer);
      return worker && ID + worker.id;
    },
    async load(id) {
      if (!id.startsWith(ID)) return undefined;
      addresses ??= bundle((name, source) => {
        this.emitFile({ type: "asset", fileName: `assets/${name}`, source });
        return `${base}assets/${name}`;
      });
      const worker = id.slice(ID.length);
      const address = (await addresses).get(worker);
      if (address === undefined)
        throw new Error(`${worker} is in no room whose workers are bundled`);
      return `export default ${JSON.stringify(address)}`;
    },
  };
}

/** Bundles all workers with what they share, and returns the address of each by its path. */
async function bundle(
  emit: (name: string, source: Uint8Array) => string,
): Promise<ReadonlyMap<string, string>> {
  const { outputFiles, metafile } = await build({
    entryPoints: globSync("{worker,zod-tool,peers}/*.worker.ts", { cwd: PLAYGROUND }),
    absWorkingDir: PLAYGROUND,
    outdir: PLAYGROUND,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    format: "esm",
    target: "es2022",
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    plugins: [noAjv],
  });
  const addresses = new Map<string, string>();
  for (const { path, contents } of outputFiles) {
    const name = basename(path);
    const address = emit(name, contents);
    const { entryPoint } = metafile.outputs[name] ?? {};
    if (entryPoint !== undefined) addresses.set(resolve(PLAYGROUND, entryPoint), address);
  }
  return addresses;
}

/** Leaves ajv out: a quarter of the engine, and never used, because the page's policy forbids what it compiles. */
const noAjv: EsbuildPlugin = {
  name: "no-ajv",
  setup(bundling) {
    const path = join(PLAYGROUND, "worker/no-ajv.ts");
    bundling.onResolve({ filter: /^ajv(\/dist\/20(19|20)\.js)?$/ }, () => ({ path }));
  },
};

import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build, type BuildOptions, type Plugin as EsbuildPlugin } from "esbuild";
import { type Plugin } from "vitepress";
import { framePage } from "./frame-page.ts";
import { ROOT } from "./repository.ts";

const PLAYGROUND = join(ROOT, "apps/site/src/playground");
/** Workers, scripts that run in the sandboxed frame, and that frame. */
const IMPORTED = /(?:\.worker\.ts\?worker&url|\.sandboxed\.ts\?url|\/frame\.ts\?url)$/;
const ID = "\0bundled-worker:";
/** A quarter of the engine, and never used: the page's policy forbids what it compiles. */
const AJV = /^ajv(?:\/dist\/20(?:19|20)\.js)?$/;
const NO_AJV = join(PLAYGROUND, "worker/no-ajv.ts");

/**
 * Bundles the workers that are imported with `?worker&url` and what runs in the sandboxed frame, and exports their
 * addresses. Vite would bundle each worker by itself, and take ten times as long for what is in them: the frameworks, and the
 * vocabulary of the tokenizer. Ajv is left out, here and in the page.
 */
export function bundledWorkers(base: string): Plugin {
  let addresses: Promise<ReadonlyMap<string, string>> | undefined;
  return {
    name: "bundled-workers",
    apply: "build",
    enforce: "pre",
    config: () => ({ resolve: { alias: [{ find: AJV, replacement: NO_AJV }] } }),
    async resolveId(source, importer) {
      if (!IMPORTED.test(source)) return undefined;
      const worker = await this.resolve(source.slice(0, source.indexOf("?")), importer);
      return worker && ID + worker.id;
    },
    async load(id) {
      if (!id.startsWith(ID)) return undefined;
      addresses ??= bundleAll((name, source) => {
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

type Emit = (name: string, source: Uint8Array | string) => string;

/** Returns the address of each by its path. */
async function bundleAll(emit: Emit): Promise<ReadonlyMap<string, string>> {
  const [engine, later, sandboxed] = await Promise.all([
    bundle("{worker,peers}/*.worker.ts", { format: "esm", splitting: true }, emit),
    // Apart, because files that the engine shared with these would come with the first message.
    bundle("{linting,tokens}/*.worker.ts", { format: "esm", splitting: true }, emit),
    // The frame has no origin from which a script could load its parts.
    bundle("*/*.sandboxed.ts", { format: "iife" }, emit),
  ]);
  const script = join(PLAYGROUND, "sandbox/frame.ts");
  const page = await framePage(script);
  const frame = emit(`frame-${hashOf(page)}.html`, page);
  return new Map([...engine, ...later, ...sandboxed, [script, frame]]);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Bundles entry points with what they share, and returns the address of each by its path. */
async function bundle(
  entryPoints: string,
  options: Pick<BuildOptions, "format" | "splitting">,
  emit: Emit,
): Promise<ReadonlyMap<string, string>> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: globSync(entryPoints, { cwd: PLAYGROUND }),
    absWorkingDir: PLAYGROUND,
    outdir: PLAYGROUND,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    target: "es2022",
    bundle: true,
    minify: true,
    charset: "utf8",
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

const noAjv: EsbuildPlugin = {
  name: "no-ajv",
  setup(bundling) {
    bundling.onResolve({ filter: AJV }, () => ({ path: NO_AJV }));
  },
};

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { serveSite, type SiteServer } from "./serve-site.ts";

const ICON = { "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>" };

/**
 * Serves files as the site is served, until the server is closed.
 *
 * @param files - Their contents by name; an `icon.svg` is added, because a browser asks for an icon.
 * @param modules - Paths of modules, which are bundled as ES modules of the same names; a worker that one imports is another.
 */
export async function servePage(
  files: Readonly<Record<string, string>>,
  modules: readonly string[] = [],
): Promise<SiteServer> {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  for (const [name, content] of Object.entries({ ...ICON, ...files }))
    writeFileSync(join(folder, name), content);
  if (modules.length > 0)
    await build({
      entryPoints: [...modules],
      outdir: folder,
      bundle: true,
      splitting: true,
      format: "esm",
      plugins: [workerAddresses],
    });
  const server = await serveSite(folder);
  return {
    origin: server.origin,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What the site's build does: imported with `?worker&url`, a worker is its address. */
const workerAddresses: Plugin = {
  name: "worker-addresses",
  setup(bundling) {
    bundling.onResolve({ filter: /\?worker&url$/ }, ({ path }) => ({ path, namespace: "address" }));
    bundling.onLoad({ filter: /./, namespace: "address" }, ({ path }) => ({
      contents: `export default "/${basename(path).replace(/\.ts\?.*$/, ".js")}"`,
    }));
  },
};

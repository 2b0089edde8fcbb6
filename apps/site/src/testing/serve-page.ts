import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { serveSite, type SiteServer } from "./serve-site.ts";

const ICON = { "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>" };

/**
 * Serves files as the site is served, until the server is closed.
 *
 * @param files - Their contents by name; an `icon.svg` is added, because a browser asks for an icon.
 * @param modules - Paths of modules, which are bundled as ES modules of the same names.
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

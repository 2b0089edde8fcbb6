import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPage } from "../../../../docs/fences.ts";
import { llmsText } from "../../../../docs/llms.ts";
import { isFolder, isRaw, linkedPaths, ROOT, PAGES } from "./repository.ts";

/** Adds to the built site what VitePress does not make of pages. */
export function writeSiteFiles(dist: string): void {
  const raw = linkedPaths().filter((path) => !isFolder(path) && isRaw(path));
  for (const path of [...PAGES, ...raw]) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(dist, path));
  }
  writeFileSync(join(dist, "llms.txt"), llmsText());
  writeFileSync(join(dist, "llms-full.txt"), PAGES.map(withPath).join("\n"));
}

function withPath(path: string): string {
  return `<!-- ${path} -->\n\n${readPage(path)}`;
}

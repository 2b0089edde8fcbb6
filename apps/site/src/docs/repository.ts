import { readdirSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { readPage } from "../../../../docs/fences.ts";
import { titleOf } from "../../../../docs/llms.ts";
import { linkOf, markdownPaths, targetsOf } from "../../../../docs/markdown.ts";

/** The repository, whose pages the site shows at their own paths. */
export const ROOT = resolve(import.meta.dirname, "../../../..");

/** Markdown that is not a page of the site; the pages of the site itself begin with `apps/site/pages`. */
const NOT_SHOWN = /(?:^|\/)(?:CHANGELOG\.md$|\.)|^apps\/site\/pages\//;

/** Files that a browser shows by itself, or that are too long for a page. */
const AS_THEY_ARE = new Set([".svg", ".json"]);
const LONGEST_PAGE = 32_000;

/** Every Markdown file that is a page. */
export const PAGES: readonly string[] = markdownPaths().filter((path) => !NOT_SHOWN.test(path));

/** A page's title without its marks. */
export function plainTitleOf(path: string): string {
  return plain(titleOf(path));
}

/** A line of Markdown without its marks. */
export function plain(markdown: string): string {
  return markdown.replaceAll(/[`*]/g, "");
}

/** Where the site shows a file or a folder of the repository. */
export function addressOf(path: string): string {
  if (isFolder(path)) return `/${path.replace(/\/$/, "")}/`;
  if (/(?:^|\/)README\.md$/.test(path)) return `/${path.slice(0, -"README.md".length)}`;
  if (path.endsWith(".md")) return `/${path.slice(0, -".md".length)}.html`;
  return isRaw(path) ? `/${path}` : `/${path}.html`;
}

/** The folders without a README and the files without Markdown that pages link to. */
export function linkedPaths(): readonly string[] {
  const linked = new Set(
    PAGES.flatMap((page) =>
      targetsOf(readPage(page)).flatMap((target) => linkOf(page, target)?.path ?? []),
    ),
  );
  const folders = [...linked].filter((path) => isFolder(path) && !hasReadme(path));
  const files = [...linked, ...folders.flatMap(filesIn)];
  const others = files.filter((path) => !isFolder(path) && !path.endsWith(".md"));
  return [...new Set([...folders, ...others])].toSorted();
}

/** The files that lie directly in a folder. */
export function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  return files.toSorted();
}

export function isFolder(path: string): boolean {
  return statSync(join(ROOT, path)).isDirectory();
}

/** Whether a file is copied, so that its address is its path. */
export function isRaw(path: string): boolean {
  return AS_THEY_ARE.has(extname(path)) && statSync(join(ROOT, path)).size > LONGEST_PAGE;
}

function hasReadme(folder: string): boolean {
  return filesIn(folder).includes(join(folder, "README.md"));
}

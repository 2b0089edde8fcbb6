import { globSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

/** A link of a page, split at its `#`. */
export interface Link {
  /** Relative to the root of the repository; the page itself if there is only an anchor. */
  readonly path: string;
  readonly anchor: string;
}

/** All Markdown files of the repository, hidden folders included. */
export function markdownPaths(): readonly string[] {
  const found = globSync(["**/*.md", ".github/**/*.md", ".changeset/*.md"], {
    cwd: ROOT,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|\.artifacts|\.turbo)$/.test(path),
  });
  return found.toSorted();
}

/** A page without its code, which has no links or headings. */
export function proseOf(page: string): string {
  return page.replaceAll(/^ *(```|~~~).*?^ *\1$/gms, "").replaceAll(/`[^`\n]+`/g, "");
}

/** The anchor of a heading without links, as GitHub names it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** The anchors of a page's headings. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const prose = page.replaceAll(/^ *(```|~~~).*?^ *\1$/gms, "");
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const base = slugOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The targets of all links of a page: inline ones, images and definitions. */
export function targetsOf(page: string): readonly string[] {
  const prose = proseOf(page);
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const defined = [...prose.matchAll(/^ {0,3}\[[^\]]+\]: +(\S+)/gm)];
  return [...inline, ...defined].map(([, target = ""]) => target);
}

/** The labels of reference links without a definition. */
export function undefinedLabels(page: string): readonly string[] {
  const prose = proseOf(page);
  const labels = new Set([...prose.matchAll(/^ {0,3}\[([^\]]+)\]: /gm)].map(([, label]) => label));
  const used = [...prose.matchAll(/\[([^\]\n]*#\d+)\](?![(:])/g)].map(([, label = ""]) => label);
  return used.filter((label) => !labels.has(label));
}

/** A target in the repository; undefined for any other. */
export function linkOf(from: string, target: string): Link | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [path = "", anchor = ""] = decodeURIComponent(target).split("#");
  return { path: path === "" ? from : join(dirname(from), path), anchor };
}

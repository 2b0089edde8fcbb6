import { basename, extname } from "node:path";
import { readPage } from "../../../../docs/fences.ts";
import {
  addressOf,
  filesIn,
  isFolder,
  isRaw,
  linkedPaths,
  plainTitleOf,
  PAGES,
} from "./repository.ts";

/** A page that VitePress makes of `pages/[path].md`. */
interface LinkedPage {
  readonly params: { readonly path: string; readonly source: string };
  readonly content: string;
}

/** The names of Markdown's fences for extensions that are no such name. */
const LANGUAGES: Readonly<Record<string, string>> = { yml: "yaml" };

/** A page for each folder and each file that the documentation links to: sources have no other address. */
export function linkedPages(): readonly LinkedPage[] {
  return linkedPaths()
    .filter((source) => isFolder(source) || !isRaw(source))
    .map((source) => {
      const path = addressOf(source)
        .slice(1)
        .replace(/\/$/, "/index")
        .replace(/\.html$/, "");
      const lines = isFolder(source) ? listOf(source) : codeOf(source);
      const title = isFolder(source) ? `${source}/` : basename(source);
      return { params: { path, source }, content: `# \`${title}\`\n\n${lines}\n` };
    });
}

function listOf(folder: string): string {
  const files = filesIn(folder).filter((path) => !path.endsWith(".md") || PAGES.includes(path));
  const titled = files.map((path) => [
    path,
    path.endsWith(".md") ? plainTitleOf(path) : basename(path),
  ]);
  return titled.map(([path = "", title]) => `- [${title}](${addressOf(path)})`).join("\n");
}

function codeOf(file: string): string {
  const extension = extname(file).slice(1);
  const language = LANGUAGES[extension] ?? extension;
  return `\`${file}\`\n\n\`\`\`\`\`${language}\n${readPage(file).trimEnd()}\n\`\`\`\`\``;
}

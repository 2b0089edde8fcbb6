import { relative } from "node:path";
import { type MarkdownRenderer } from "vitepress";
import { linkOf } from "../../../../docs/markdown.ts";
import { addressOf, ROOT } from "./repository.ts";

/** What VitePress knows of the page that it renders. */
interface Rendering {
  /** Undefined for a title, which is parsed by itself. */
  readonly path?: string;
  /** Undefined while the index of the search is made. */
  readonly realPath?: string;
}

/** The first page shows it higher up. */
const RECORDING = "apps/demo/recording.svg";

/** Teaches the renderer the links of a repository, and takes from it what GitHub does not know. */
export function likeGitHub(md: MarkdownRenderer): void {
  md.disable("emoji");
  md.core.ruler.push("repository", ({ tokens, env }) => {
    const { path, realPath = path } = env as Rendering;
    if (realPath === undefined) return;
    const page = relative(ROOT, realPath);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.attrGet("href");
      if (token.type !== "link_open" || target === null || /^[#/]/.test(target)) continue;
      const link = linkOf(page, target);
      if (link) token.attrSet("href", addressOf(link.path) + (link.anchor && `#${link.anchor}`));
    }
    // What is above its second section is shown by the first page itself, with the answers whole.
    if (page === "README.md") {
      const [, second = 0] = tokens.flatMap(({ type, tag }, index) =>
        type === "heading_open" && tag === "h2" ? [index] : [],
      );
      tokens.splice(0, second);
      const shown = tokens.findIndex(({ content }) => content.endsWith(`](${RECORDING})`));
      if (shown !== -1) tokens.splice(shown - 1, 3);
    }
  });
}

import { type HeadConfig, type PageData, type TransformContext } from "vitepress";
import { firstSentence, titleOf } from "../../../../docs/llms.ts";
import { plain, PAGES } from "./repository.ts";

/** Gives a page the description that its own first sentence is, and the first page its layout. */
export function describePage(page: PageData): Partial<PageData> {
  const { filePath, frontmatter, params } = page;
  if (params?.["source"] !== undefined) {
    const source = String(params["source"]);
    return { title: source, description: `${source}, a part of Toolcontract's repository.` };
  }
  if (!PAGES.includes(filePath)) return {};
  const description = plain(firstSentence(filePath));
  return filePath === "README.md"
    ? { title: "Toolcontract", description, frontmatter: { ...frontmatter, layout: "home" } }
    : { description };
}

/** The letters of English; it is there before the first paint then, so that no line moves. */
const TYPEFACE = /\/figtree-latin-wght-normal\.[^/]*\.woff2$/;

function preload(href: string): HeadConfig {
  return ["link", { rel: "preload", href, as: "font", type: "font/woff2", crossorigin: "" }];
}

/** The head of one page: its description, the card that a link to it becomes, and its typeface. */
export function headOf({ assets, page, title, ...context }: TransformContext): HeadConfig[] {
  const description = page === "404.md" ? "There is no page at this address." : context.description;
  return [
    ["meta", { name: "description", content: description }],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:site_name", content: titleOf("README.md") }],
    ["meta", { property: "og:title", content: title }],
    ["meta", { property: "og:description", content: description }],
    ["meta", { name: "twitter:card", content: "summary" }],
    ...assets.filter((path) => TYPEFACE.test(path)).map(preload),
  ];
}

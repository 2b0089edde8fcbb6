import { pagePaths, readPage } from "./fences.ts";

const TITLE = "# Toolcontract";

/** The index of the documentation for language models, in the form that llmstxt.org describes. */
export function llmsText(): string {
  const pages = pagePaths().filter((path) => path !== "README.md" && path !== "docs/README.md");
  const readmes = pages.filter((path) => /^(?:packages|apps)\//.test(path));
  const guides = pages.filter((path) => /^docs\/[^/]+$/.test(path));
  const errors = pages.filter((path) => path.startsWith("docs/errors/"));
  const rest = pages.filter((path) => ![...readmes, ...guides, ...errors].includes(path));
  return [
    TITLE,
    "",
    `> ${firstParagraph("README.md")}`,
    "",
    section("Packages", readmes.map(describePage)),
    section("Docs", guides.map(describePage)),
    section("Error codes", errors.map(linkTo)),
    section("Optional", rest.map(linkTo)),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join("\n")}\n`;
}

function describePage(path: string): string {
  return `${linkTo(path)}: ${firstSentence(path)}`;
}

function linkTo(path: string): string {
  return `- [${titleOf(path)}](${path})`;
}

/** A page's title; its path if it has none. */
export function titleOf(path: string): string {
  const [, title = path] = /^# (.*)$/m.exec(readPage(path)) ?? [];
  return title;
}

/** The first sentence of a page's prose. */
export function firstSentence(path: string): string {
  return sentenceOf(firstParagraph(path));
}

function firstParagraph(path: string): string {
  const blocks = readPage(path)
    .replaceAll(/^```.*?^```$/gms, "")
    .split(/\n{2,}/);
  return plain(blocks.find((block) => /^[^#|!\n-]/.test(block)) ?? "");
}

/** A paragraph in one line, with the words of its links only. */
function plain(paragraph: string): string {
  return paragraph.replaceAll("\n", " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** The first sentence of a paragraph, with the words of its links only. */
export function sentenceOf(paragraph: string): string {
  const text = plain(paragraph);
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

import { type DefaultTheme } from "vitepress";
import { readPage } from "../../../../docs/fences.ts";
import { linkOf, targetsOf } from "../../../../docs/markdown.ts";
import { addressOf, filesIn, isFolder, plainTitleOf, PAGES } from "./repository.ts";

const INDEX = "docs/README.md";
/** A longer group is closed until somebody opens it or reads one of its pages. */
const LONGEST_OPEN = 12;

/** One group for each section of the index, with the pages that it names first. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const named = new Set([INDEX]);
  const sections = readPage(INDEX).split(/^## /m).slice(1);
  return sections.map((section) => {
    const [text = ""] = section.split("\n");
    const paths = targetsOf(section)
      .flatMap((target) => linkOf(INDEX, target)?.path ?? [])
      .flatMap((path) => (isFolder(path) ? filesIn(path) : path));
    const items = [...new Set(paths)]
      .filter((path) => PAGES.includes(path) && !named.has(path))
      .map((path) => ({ text: plainTitleOf(path), link: addressOf(path) }));
    paths.forEach((path) => named.add(path));
    return { text, items, collapsed: items.length > LONGEST_OPEN };
  });
}

import { type DefaultTheme } from "vitepress";
import { readPage } from "../../../../docs/fences.ts";
import { linkOf, targetsOf } from "../../../../docs/markdown.ts";
import { addressOf, filesIn, isFolder, plainTitleOf, PAGES } from "./repository.ts";

const INDEX = "docs/README.md";
/** A longer group is closed until somebody opens it or reads one of its pages. */
const LONGEST_OPEN = 13;
/** The sections for those who change the project; their pages have a sidebar of their own. */
const PROJECT = "Project";
const DECISIONS = "Decisions";

interface Group {
  readonly text: string;
  readonly paths: readonly string[];
  /** What the index calls a page. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Two sidebars: that of the pages for contributors, and that of all others. Every page loads them, so the decisions are listed beside
 * each other only. In a draft one page has each of them: drawing them takes a quarter of its build.
 */
export function sidebar({ isDraft }: { readonly isDraft: boolean }): DefaultTheme.SidebarMulti {
  const groups = groupsOfIndex();
  const [project, decisions] = [PROJECT, DECISIONS].map((name) =>
    groups.find(({ text }) => text === name),
  );
  if (!project || !decisions) throw new Error(`${INDEX} has no "${PROJECT}" or "${DECISIONS}"`);
  const back = linkItem("Documentation", "/docs/");
  const folder = addressOf("docs/decisions");
  const inside = [itemOf(project), linkItem(DECISIONS, folder), back];
  const outside = [
    ...groups.filter((group) => group !== project && group !== decisions).map(itemOf),
    { ...linkItem("llms.txt", "/llms.txt"), target: "_self" },
    linkItem(PROJECT, addressOf(project.paths[0] ?? INDEX)),
  ];
  return {
    ...Object.fromEntries(project.paths.map((path) => [placeOf(path), inside])),
    [isDraft ? `${folder}0001` : folder]: [
      itemOf(project),
      { ...itemOf(decisions), collapsed: false },
      back,
    ],
    [isDraft ? "/docs/faq" : "/"]: outside,
  };
}

/** A group for each section of the index, with the pages that it names first. */
function groupsOfIndex(): readonly Group[] {
  const named = new Set([INDEX]);
  const sections = readPage(INDEX).split(/^## /m).slice(1);
  return sections.map((section) => {
    const [text = ""] = section.split("\n");
    const linked = targetsOf(section)
      .flatMap((target) => linkOf(INDEX, target)?.path ?? [])
      .flatMap((path) => (isFolder(path) ? filesIn(path) : path));
    const paths = [...new Set(linked)].filter((path) => PAGES.includes(path) && !named.has(path));
    linked.forEach((path) => named.add(path));
    if (paths.length === 0)
      throw new Error(`The section "${text}" of ${INDEX} has no page of its own`);
    return { text, paths, names: namesIn(section) };
  });
}

function namesIn(section: string): ReadonlyMap<string, string> {
  const links = [...section.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  return new Map(
    links.flatMap(([, name = "", target = ""]) => {
      const path = linkOf(INDEX, target)?.path;
      return path === undefined ? [] : [[path, name.replaceAll("`", "")] as const];
    }),
  );
}

function itemOf({ text, paths, names }: Group): DefaultTheme.SidebarItem {
  const items = paths.map((path) => {
    const title = plainTitleOf(path);
    // A README has the name of its package, which says less than that of its framework.
    return linkItem(title.startsWith("@") ? (names.get(path) ?? title) : title, addressOf(path));
  });
  return { text, items, collapsed: items.length > LONGEST_OPEN };
}

function linkItem(text: string, link: string): DefaultTheme.SidebarItem {
  return { text, link };
}

/** What the addresses of a page begin with: VitePress compares paths of files with it. */
function placeOf(path: string): string {
  return addressOf(path).replace(/\.html$/, "");
}

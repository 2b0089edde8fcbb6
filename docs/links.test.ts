import { statSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readPage } from "./fences.ts";
import { anchorsOf, linkOf, markdownPaths, targetsOf, undefinedLabels } from "./markdown.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** Why a link of a page is broken; undefined if it is not. */
function problemOf(from: string, target: string): string | undefined {
  const link = linkOf(from, target);
  if (link === undefined) return undefined;
  const found = statSync(resolve(ROOT, link.path), { throwIfNoEntry: false });
  if (found === undefined || link.path.startsWith("..")) return `${target}: no such file`;
  if (link.anchor === "") return undefined;
  const isThere = found.isFile() && anchorsOf(readPage(link.path)).has(link.anchor);
  return isThere ? undefined : `${target}: no such heading`;
}

describe.each(markdownPaths())("%s", (path) => {
  const page = readPage(path);

  test("links only to files and headings that exist", () => {
    expect(targetsOf(page).flatMap((target) => problemOf(path, target) ?? [])).toEqual([]);
    expect(undefinedLabels(page)).toEqual([]);
  });

  test("names an issue as its link does", () => {
    const issues = page.matchAll(/^\[(\S+)#(\d+)\]: (\S+)$/gm);
    for (const [, repository, number, target] of issues) {
      expect(target).toBe(`https://github.com/${repository}/issues/${number}`);
    }
  });
});

test("the index of the documentation names every guide and every error code", () => {
  const index = "docs/README.md";
  const named = targetsOf(readPage(index)).flatMap((target) => linkOf(index, target)?.path ?? []);
  const pages = markdownPaths().filter((path) => /^docs\/(?:errors\/)?[^/]+$/.test(path));
  expect(pages.filter((path) => path !== index && !named.includes(path))).toEqual([]);
});

describe("the search for links", () => {
  test("finds pages in all folders", () => {
    const paths = markdownPaths();
    expect(paths).toContain("README.md");
    expect(paths).toContain("docs/errors/VAL-001.md");
    expect(paths).toContain("packages/core/README.md");
    expect(paths.filter((path) => path.includes("node_modules"))).toEqual([]);
  });

  test.each([
    ["[a](x.md) ![b](y.png 'z')", ["x.md"]],
    ['[a](x.md#b "title") [c](<d.md>)', ["x.md#b", "d.md"]],
    ["[a]: x.md\n[b][a]", ["x.md"]],
    ["`[a](x.md)`\n\n```md\n[a](x.md)\n```\n", []],
  ])("finds the targets of %j", (page, targets) => {
    expect(targetsOf(page)).toEqual(targets);
  });

  test.each([
    ["docs/faq.md", "errors/VAL-099.md", "errors/VAL-099.md: no such file"],
    ["docs/faq.md", "#nothing-of-the-kind", "#nothing-of-the-kind: no such heading"],
    ["docs/faq.md", "../README.md#nothing", "../README.md#nothing: no such heading"],
    ["docs/faq.md", "../../elsewhere.md", "../../elsewhere.md: no such file"],
    ["docs/faq.md", "errors", undefined],
    ["docs/faq.md", "https://example.com/nothing", undefined],
  ])("checks in %s a link to %s", (from, target, expected) => {
    expect(problemOf(from, target)).toBe(expected);
  });

  test("names anchors as GitHub does", () => {
    const page = "# A: `b_c` & D\n## Your own loop: OpenAI\n## A [link](x.md)!\n## a link\n";
    expect([...anchorsOf(page)]).toEqual([
      "a-b_c--d",
      "your-own-loop-openai",
      "a-link",
      "a-link-1",
    ]);
  });

  test("finds labels without a definition", () => {
    expect(undefinedLabels("[a/b#1] and [a/b#2]\n\n[a/b#1]: https://x\n")).toEqual(["a/b#2"]);
  });
});

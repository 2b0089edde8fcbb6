import { expect, test } from "vitest";
import { pagePaths } from "./fences.ts";
import { llmsText } from "./llms.ts";
import { targetsOf } from "./markdown.ts";

test("llms.txt lists the pages that exist; `vitest run docs/llms.test.ts -u` writes it", async () => {
  await expect(llmsText()).toMatchFileSnapshot("../llms.txt");
});

test("llms.txt names every page once, with a title and a sentence", () => {
  const text = llmsText();
  const indexes = ["README.md", "docs/README.md"];
  const pages = pagePaths().filter((path) => !indexes.includes(path));
  expect(targetsOf(text).toSorted()).toEqual([...pages]);
  expect(text).toMatch(/^# \S.*\n\n> \S.*\n\n## /);
  const described = /\((?:packages\/[^/]+\/README|docs\/[^/]+)\.md\)/;
  const lines = text.split("\n").filter((line) => described.test(line));
  expect(lines.length).toBeGreaterThan(8);
  const plain = lines.filter((line) => !/^- \[[^\]]+\]\(\S+\): [A-Z`].*\.$/.test(line));
  expect(plain).toEqual([]);
});

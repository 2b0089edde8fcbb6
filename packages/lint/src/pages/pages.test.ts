import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULES } from "../rules/index.ts";
import { rulePage, ruleRows } from "./index.ts";

const DOCS = new URL("../../../../docs/", import.meta.url);
const HOW = "run `pnpm --dir packages/lint pages` and `oxfmt docs`";

/** The formatter moves spaces, fills tables, breaks lines, and ends lists with commas. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, "")
    .replaceAll(/-{4,}/g, "---")
    .replaceAll(/,(?=[}\])])/g, "");
}

test(`docs/lint.md lists every rule as its row says: ${HOW}`, () => {
  const page = readFileSync(new URL("lint.md", DOCS), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| [`"));
  expect(rows.map(plain)).toEqual(ruleRows().map((cells) => plain(`| ${cells.join(" | ")} |`)));
});

test(`every rule has its page in docs/lint, and nothing else has: ${HOW}`, () => {
  const files = readdirSync(new URL("lint/", DOCS));
  expect(files.toSorted()).toEqual(RULES.map(({ name }) => `${name}.md`).toSorted());
});

test.each(RULES)(`the page of $name is that of the rule: ${HOW}`, ({ name }) => {
  const page = readFileSync(new URL(`lint/${name}.md`, DOCS), "utf8");
  expect(plain(page)).toBe(plain(rulePage(name)));
});

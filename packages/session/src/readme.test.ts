import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const source = readFileSync(new URL("shared/limits.ts", import.meta.url), "utf8");

test("the README is short enough to be read", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(300);
});

test("the table of options has every option, and no other", () => {
  const [, members = ""] = /^export interface SessionLimits \{\n(.*?)^\}/ms.exec(source) ?? [];
  const options = [...members.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = ""]) => name);
  const cells = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) /gm)].map(([, cell = ""]) => cell);
  const rows = cells.flatMap((cell) => cell.match(/\w+/g) ?? []);
  expect(rows.toSorted()).toEqual(options.toSorted());
});

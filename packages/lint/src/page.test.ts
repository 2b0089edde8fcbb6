import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULES } from "./rules/index.ts";
import { rulesPage } from "./rules-page.ts";

const page = readFileSync(new URL("../../../docs/lint.md", import.meta.url), "utf8");

test("the page lists every rule as its row says", () => {
  const rows = page
    .slice(page.indexOf("## What is found"), page.indexOf("## JSON"))
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const cells = rows.map((row) =>
    row.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$/g, "").trim()),
  );
  expect(cells).toEqual(
    RULES.map(({ name, severity, about, fix, numbers = "" }) =>
      [`\`${name}\``, severity === "info" ? "note" : severity, about, fix, numbers].map((cell) =>
        cell.replaceAll("|", "\\|"),
      ),
    ),
  );
});

test("docs/lint-rules.md is that of the rules: run `node packages/lint/src/write-pages.ts`", () => {
  const written = readFileSync(new URL("../../../docs/lint-rules.md", import.meta.url), "utf8");
  // The formatter moves spaces and breaks lines.
  const plain = (text: string): string => text.replaceAll(/\s+/g, "");
  expect(plain(written)).toBe(plain(rulesPage()));
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULES } from "./rules/index.ts";

const page = readFileSync(new URL("../../../docs/lint.md", import.meta.url), "utf8");

test("the page lists every rule as its row says", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
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

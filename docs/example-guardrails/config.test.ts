import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fencesOf, readPage } from "../fences.ts";

test("the page shows the file that its program loads", () => {
  const shown = fencesOf(readPage("docs/guardrails-policies.md")).filter(
    ({ language }) => language === "yaml",
  );
  const file = readFileSync(new URL("config.yml", import.meta.url), "utf8");
  expect(shown.map(({ text }) => `${text}\n`)).toEqual([file]);
});

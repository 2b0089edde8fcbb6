import { globSync } from "node:fs";
import { describe, expect } from "vitest";
import { test } from "../testing/browser-test.ts";
import { TESTED } from "../testing/build-site.ts";

const WIDTH = 1440;
const SCREEN = { viewport: { width: WIDTH, height: 900 } };
// Nothing is measured that a script draws.
const STILL = { ...SCREEN, javaScriptEnabled: false };
// In assets/ is the frame for the code of a tool, which nobody reads.
const PAGES = globSync("**/*.html", { cwd: TESTED }).filter((file) => !file.startsWith("assets/"));

describe("programs, tables and pictures are seen whole on a screen of 1440 pixels", () => {
  test.for(PAGES.toSorted())("%s", async (path, { open }) => {
    const page = await open(`/${path}`, STILL);
    const cut = await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      return [...document.querySelectorAll(".vp-doc :is(pre, table)")]
        .filter((block) => block.scrollWidth > block.clientWidth)
        .map((block) => block.textContent?.slice(0, 80));
    });
    expect(cut).toEqual([]);
    const unseen = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLImageElement>(".vp-doc img")]
        .filter(({ naturalWidth, alt }) => naturalWidth === 0 || alt === "")
        .map(({ src }) => src),
    );
    expect(unseen).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(WIDTH);
  });
});

test("the column of the contract comes first in the comparison", async ({ open }) => {
  const page = await open("/docs/compared.html", SCREEN);
  const heads = await page.locator(".vp-doc table").first().locator("th").allInnerTexts();
  expect(heads.slice(0, 2)).toEqual(["clause", "with the contract"]);
});

test("the ids of clauses do not break", async ({ open }) => {
  for (const width of [WIDTH, 768]) {
    const page = await open("/docs/conformance.html", { viewport: { width, height: 900 } });
    await page.locator(".vp-doc details > summary").click();
    const ids = page.locator(".vp-doc :is(td:first-child, details td:nth-last-child(2)) > code");
    const broken = await ids.evaluateAll((all) =>
      all.filter((id) => id.getClientRects().length > 1).map((id) => id.textContent),
    );
    expect(await ids.count()).toBeGreaterThan(100);
    expect([width, broken]).toEqual([width, []]);
  }
});

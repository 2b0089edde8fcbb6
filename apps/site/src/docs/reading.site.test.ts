import { describe, expect } from "vitest";
import { test } from "../testing/browser-test.ts";

const FOUND = [
  ["VAL-008", "VAL-008: Invalid enum value"],
  ["GRD-003", "GRD-003: Not possible without a change from outside"],
  ["maxAttempts", "Attempts and escalation"],
  ["handleTurn", "Your own loop"],
  ["traceRefusals", "Telemetry"],
  ["unknownFields", "VAL-005: Unknown field"],
  ["Cedar", "Policies in Cedar, CEL and OPA"],
  ["invalid enum", "VAL-008: Invalid enum value"],
] as const;

test("the search finds what a word is about", async ({ open }) => {
  const page = await open("/docs/faq.html");
  await page.getByRole("button", { name: "Search" }).first().click();
  const results = page.locator("#localsearch-list .result");
  for (const [words, found] of FOUND) {
    await page.locator("#localsearch-input").fill(words);
    await expect
      .poll(async () => (await results.allInnerTexts()).slice(0, 3).join("; "), { message: words })
      .toContain(found);
  }
});

test("the first page leads to the playground at once, on a small screen too", async ({ open }) => {
  const page = await open("/", { viewport: { width: 360, height: 640 } });
  const link = page.getByRole("link", { name: "Try it in the playground" });
  const { y = Infinity, height = 0 } = (await link.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(640);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await link.click();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/playground/");
});

test("an address without a page says so and leads on", async ({ open }) => {
  const page = await open("/404.html");
  await page.getByRole("heading", { name: "There is no page at this address" }).waitFor();
  await page.getByRole("link", { name: "All pages" }).click();
  await expect.poll(() => page.title()).toContain("Documentation");
});

test("the sidebar leads from the first steps to the reference", async ({ open }) => {
  const page = await open("/docs/getting-started.html");
  const groups = await page.locator(".VPSidebarItem.level-0 > .item h2").allInnerTexts();
  expect(groups).toEqual([
    "Start",
    "Packages",
    "Quickstarts",
    "Recipes",
    "The first call",
    "Limits",
    "Guard",
    "Run",
    "Operate",
    "Reference",
    "Rules of the linter",
    "Error codes",
  ]);
  const closed = await page.locator(".VPSidebarItem.level-0.collapsed > .item h2").allInnerTexts();
  expect(closed).toEqual(["Reference", "Rules of the linter", "Error codes"]);
  const links = await page
    .locator(".VPSidebar a")
    .evaluateAll((found) => found.map((link) => link.getAttribute("href")));
  expect(links.length).toBeGreaterThan(80);
  expect((await page.locator(".VPSidebar").innerText()).includes("`")).toBe(false);
  expect(new Set(links).size).toBe(links.length);
  expect(links).not.toContain("/docs/");
  expect(links).toContain("/llms.txt");
  expect(links.filter((link) => link?.startsWith("/docs/decisions/"))).toEqual([]);
});

test("pages for contributors have a sidebar of their own", async ({ open }) => {
  const page = await open("/docs/decisions/site.html");
  const groups = page.locator(".VPSidebarItem.level-0 > .item h2");
  expect(await groups.allInnerTexts()).toEqual(["Project", "Decisions"]);
  await page.locator(".VPSidebar").getByRole("link", { name: "Documentation" }).click();
  await expect.poll(() => groups.first().innerText()).toBe("Start");
});

describe("no page is wider than a phone", () => {
  test.for([
    "/docs/",
    "/docs/benchmarks.html",
    "/docs/requirements.html",
    "/docs/errors/VAL-008.html",
    "/docs/decisions/",
    "/packages/core/",
    "/packages/core/src/message/frame.ts.html",
  ])("%s", async (path, { open }) => {
    const page = await open(path, { viewport: { width: 360, height: 740 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

test("the plots of the benchmarks are dark in the dark theme", async ({ open }) => {
  const page = await open("/docs/benchmarks.html", { colorScheme: "dark" });
  const plot = page.locator(".vp-doc img[src$='.svg']").first();
  expect(await plot.evaluate((image) => getComputedStyle(image).filter)).toContain("invert");
});

import { oneInThree } from "@toolcontract/case-table/whole";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { axeViolations } from "../../testing/axe-violations.ts";
import { test } from "../../testing/browser-test.ts";

/** Scenes that have every kind of line between them. */
const WITH_EVERY_KIND = ["ai-sdk-spent-budget", "session-next-provider", "session-turn-limit"];
const SUMMARY = "Guardrails and sessions";

function panelOf(page: Page): Locator {
  return page.locator("section", { has: page.locator("summary", { hasText: SUMMARY }) });
}

async function openPanel(page: Page): Promise<Locator> {
  const panel = panelOf(page);
  await panel.locator("summary").click();
  await panel.getByRole("heading", { name: "Turn 1" }).waitFor();
  return panel;
}

async function loadedScenes(page: Page): Promise<number> {
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name),
  );
  return loaded.filter((name) => /\/scenes\.[^/]*\.js$/.test(name)).length;
}

/** Presses it until there is no next step; the number of turns then shown. */
async function playToEnd(panel: Locator): Promise<number> {
  const next = panel.getByRole("button", { name: "Next step" });
  while (await next.isEnabled()) await next.click();
  return panel.locator("li").count();
}

test("the scenes are loaded when their panel is opened", async ({ open }) => {
  const page = await open("/playground/");
  await panelOf(page).waitFor();
  expect(await loadedScenes(page)).toBe(0);
  await openPanel(page);
  expect(await loadedScenes(page)).toBe(1);
});

test("a scene is stepped through with the keyboard, and the focus follows", async ({ open }) => {
  const page = await open("/playground/");
  const panel = panelOf(page);
  await panel.locator("summary").press("Enter");
  const next = panel.getByRole("button", { name: "Next step" });
  await next.press("Enter");
  const second = panel.getByRole("heading", { name: "Turn 2" });
  await expect.poll(() => second.evaluate((element) => element.matches(":focus"))).toBe(true);
  expect(await panel.locator("li").count()).toBe(2);
  // The heading is the place that Tab goes on from.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await panel.getByRole("heading", { name: "Turn 3" }).waitFor();
  await panel.getByText("-6 of A1 in stock, 11 of A1 in the cart").waitFor();
  await panel.getByText("3 of A1 in stock, 2 of A1 in the cart", { exact: true }).waitFor();
  expect(await next.isDisabled()).toBe(true);
  await panel.getByRole("button", { name: "From the start" }).press("Enter");
  await expect.poll(() => panel.locator("li").count()).toBe(1);
});

test("every scene fits in a wide window and at 360 pixels", async ({ open }) => {
  const page = await open("/playground/");
  const panel = await openPanel(page);
  const scene = panel.getByLabel("Scene");
  const names = await scene
    .locator("option")
    .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
  expect(names).toHaveLength(9);
  for (const name of oneInThree(names)) {
    await scene.selectOption(name);
    expect(await playToEnd(panel)).toBeGreaterThan(1);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  }
});

test("scenes with every kind of line are accessible in both themes", async ({ open }) => {
  const page = await open("/playground/");
  const panel = await openPanel(page);
  for (const name of oneInThree(WITH_EVERY_KIND)) {
    await panel.getByLabel("Scene").selectOption(name);
    await playToEnd(panel);
    expect(await axeViolations(page)).toEqual([]);
  }
});

test("the panel has no name and no live region that belongs to the message", async ({ open }) => {
  const page = await open("/playground/");
  const panel = await openPanel(page);
  await playToEnd(panel);
  const taken = /tool|call|send again|apply hints|copy link/i;
  expect(await panel.getByRole("button", { name: taken }).count()).toBe(0);
  expect(await panel.getByLabel(taken).count()).toBe(0);
  expect(await panel.locator("[role=status], [aria-live]").count()).toBe(0);
});

import { resolve } from "node:path";
import { isWhole } from "@toolcontract/case-table/whole";
import { expect } from "vitest";
import { axeViolations } from "../../testing/axe-violations.ts";
import { test } from "../../testing/browser-test.ts";
import { openPlayground, type PlaygroundPage } from "../../testing/playground-page.ts";

const SLOW_PATTERN = '{"properties": {"a": {"pattern": "^(a+)+$"}}}';
const LONG_STRING = JSON.stringify({ a: `${"a".repeat(1_000)}!` });

const NARROW = resolve(import.meta.dirname, "../../../../../.artifacts/site/narrow.png");

async function openPanels({ page }: PlaygroundPage): Promise<void> {
  for (const summary of await page.locator(".playground summary").all()) {
    if ((await summary.locator("..").getAttribute("open")) === null) await summary.click();
  }
  await page.getByRole("button", { name: "AI SDK", exact: true }).click();
  await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(1);
}

const STATES: Readonly<Record<string, (playground: PlaygroundPage) => Promise<void>>> = {
  "a blocked tool": async ({ button, reads }) => {
    for (const said of [/attempt 2\/3/, /attempt 3\/3/, /blocked/]) {
      await button("Send again").click();
      await reads(said);
    }
  },
  "a call that runs": async ({ button, reads }) => {
    await button("Apply hints").click();
    await reads(/the tool runs/);
  },
  "a call with placeholders": async ({ button, page, reads }) => {
    await page.getByRole("combobox", { name: "Example" }).selectOption("A secret in the arguments");
    await reads(/\/token/);
    await button("Apply hints").click();
    await page.getByText("no hint: the model fills this in").first().waitFor();
  },
  "a call that was not checked": async ({ call, reads, tool, write }) => {
    await write(tool, SLOW_PATTERN);
    await write(call, LONG_STRING);
    await reads(/Not checked/);
  },
  "a fault in the tool": async ({ reads, tool, write }) => {
    await write(tool, '{"type": ');
    await reads(/Tool:/);
  },
  "a first attempt, with all panels open": openPanels,
};

/** Between them they show most of the elements. */
const SHOWN = ["a call with placeholders", "a first attempt, with all panels open"];

test.for(Object.entries(STATES).filter(([name]) => isWhole || SHOWN.includes(name)))(
  "it is accessible in both themes: %s",
  async ([, reach], { open }) => {
    const playground = await openPlayground(open);
    await reach(playground);
    expect(await axeViolations(playground.page)).toEqual([]);
  },
);

test("the theme is changed by its switch", async ({ open }) => {
  const { page } = await openPlayground(open, { colorScheme: "light" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page
    .getByRole("switch", { name: /dark theme/i })
    .first()
    .click();
  await expect.poll(background).not.toBe(light);
});

test("at 360 pixels nothing scrolls sideways", async ({ open }) => {
  const playground = await openPlayground(open, { viewport: { width: 360, height: 740 } });
  await openPanels(playground);
  if (isWhole) await playground.page.screenshot({ path: NARROW, fullPage: true });
  const wide = await playground.page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .filter((element) => !element.closest("pre, .cm-scroller, table, .VPNavScreen, .VPSidebar"))
      .map((element) => `${element.tagName} ${element.className}`),
  );
  expect(wide).toEqual([]);
  expect(await playground.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const sides = await playground.page
    .locator(".playground > *")
    .evaluateAll((all) =>
      all.map((element) => element.getBoundingClientRect()).map(({ left, right }) => [left, right]),
    );
  expect(sides.filter(([left = 0, right = 0]) => right > 360 - left)).toEqual([]);
});

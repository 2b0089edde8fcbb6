import type { Browser, CDPSession, Page } from "playwright-core";
import { expect, inject } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { watchTransfers } from "../../testing/transfers.ts";
import { weighPlayground } from "../../testing/weigh-playground.ts";

const LOADS = 3;
const MOST_SECONDS = 1;
const MOST_BYTES = 400_000;
const MOST_BYTES_OF_HOME = 150_000;

/** Seconds of CPU that the process of a page has used, its workers included. */
async function secondsOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ProcessTime")?.value ?? Number.NaN;
}

/** Loads a page in a context of its own, and in a process that has done nothing before. */
async function costOf(
  browser: Browser,
  path: string,
  loaded: (page: Page) => Promise<unknown>,
): Promise<number> {
  const context = await browser.newContext({ baseURL: inject("site").origin });
  try {
    const page = await context.newPage();
    await page.goto(path);
    await loaded(page);
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable");
    return await secondsOf(session);
  } finally {
    await context.close();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

test("the first message costs a second of CPU time at most, compared with an empty page", async ({
  browser,
}) => {
  const empty: number[] = [];
  const playground: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    empty.push(await costOf(browser, "about:blank", () => Promise.resolve()));
    playground.push(
      await costOf(browser, "/playground/", (page) =>
        page.getByRole("status").filter({ hasText: "attempt 1" }).waitFor(),
      ),
    );
  }
  expect(median(playground) - median(empty)).toBeLessThan(MOST_SECONDS);
});

test("the first page is under 150 kB, its typeface included", async ({ open }) => {
  // A page of its own: the others' files are in their cache.
  const page = await open("about:blank", { viewport: { width: 390, height: 844 } });
  const loaded = watchTransfers(page);
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  const files = await loaded();
  expect(files.map(({ path }) => path)).toContainEqual(expect.stringMatching(/figtree.*\.woff2$/));
  expect(files.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(MOST_BYTES_OF_HOME);
});

test("what is loaded until the engine answers is under 400 kB, and the rest on demand", async ({
  open,
}) => {
  const { first, later } = await weighPlayground(await open("about:blank"));
  expect(first.map(({ path }) => path)).toContainEqual(expect.stringMatching(/engine\.worker/));
  expect(first.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(MOST_BYTES);
  expect(later.filter(([, loaded]) => loaded.length === 0)).toEqual([]);
});

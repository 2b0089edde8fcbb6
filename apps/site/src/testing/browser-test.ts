import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { inject, test as base } from "vitest";
import { launchBrowser } from "./launch-browser.ts";
import { type PagePool, pagePool } from "./page-pool.ts";
import { isRefusal } from "./watch-context.ts";
import type { SiteServer } from "./serve-site.ts";

/** What a test of the site is given. */
export interface SiteFixtures {
  /** Opens a page that nothing is left on from other tests; the test fails if anything goes wrong on it. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
  /** From now on the policy may refuse what the pages try: they are made to. */
  readonly expectRefusals: () => void;
}

interface FileFixtures {
  /** One for each worker. */
  readonly browser: Browser;
  /** What is tested: the built site, unless a file serves something else. */
  readonly origin: string;
  readonly pool: PagePool;
}

interface TestState {
  readonly refusals: { areExpected: boolean };
}

/** A test in the browser. */
export const test = base.extend<SiteFixtures & FileFixtures & TestState>({
  browser: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that are used from the pattern.
    async ({}, use) => {
      const browser = await launchBrowser();
      await use(browser);
      await browser.close();
    },
    // The files of a worker share it.
    { scope: "worker" },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that are used from the pattern.
  origin: [async ({}, use) => use(inject("site").origin), { scope: "file" }],
  pool: [async ({ browser, origin }, use) => use(pagePool(browser, origin)), { scope: "file" }],
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that are used from the pattern.
  refusals: async ({}, use) => use({ areExpected: false }),
  expectRefusals: async ({ refusals }, use) => use(() => void (refusals.areExpected = true)),
  open: async ({ pool, refusals, task }, use) => {
    await use(async (path, options) => {
      const page = await pool.take(options);
      await page.goto(path);
      return page;
    });
    const faults = await pool.giveBack({ keeps: task.result?.state !== "fail" });
    const unexpected = faults.filter((fault) => !refusals.areExpected || !isRefusal(fault));
    if (unexpected.length > 0) throw new Error(`The page is not sound:\n${unexpected.join("\n")}`);
  },
});

/** A test in the browser, on what a file serves itself. */
export function testOn(serve: () => Promise<SiteServer>): typeof test {
  return test.extend<Pick<FileFixtures, "origin">>({
    origin: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that are used from the pattern.
      async ({}, use) => {
        const server = await serve();
        await use(server.origin);
        await server.close();
      },
      { scope: "file" },
    ],
  });
}

import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { inject, test as base } from "vitest";
import { watchContext } from "./watch-context.ts";

/** What a test of the site is given. */
export interface SiteFixtures {
  /** Opens a page in a context of its own; the test fails if anything goes wrong on it. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}

/** A test in the browser, on the built site. */
export const test = base.extend<SiteFixtures & { readonly browser: Browser }>({
  browser: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that are used from the pattern.
    async ({}, use) => {
      const browser = await chromium.connect(inject("site").browser);
      await use(browser);
      await browser.close();
    },
    { scope: "file" },
  ],
  open: async ({ browser }, use) => {
    const { origin } = inject("site");
    const watched: (readonly string[])[] = [];
    await use(async (path, options) => {
      const context = await browser.newContext({ baseURL: origin, ...options });
      watched.push(watchContext(context, origin));
      const page = await context.newPage();
      await page.goto(path);
      return page;
    });
    await Promise.all(browser.contexts().map((context) => context.close()));
    const faults = watched.flat();
    if (faults.length > 0) throw new Error(`The page is not sound:\n${faults.join("\n")}`);
  },
});

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { watchContext } from "./watch-context.ts";

/** Pages that tests use one after the other: a page in a new context costs twice the CPU time of one that is there. */
export interface PagePool {
  /** An empty page, in a context with these options. */
  take(options?: BrowserContextOptions): Promise<Page>;
  /** Empties the pages that were taken, or closes them; returns what went wrong on them. */
  giveBack(options: { readonly keeps: boolean }): Promise<readonly string[]>;
}

interface Pooled {
  readonly page: Page;
  readonly options: BrowserContextOptions;
  readonly faults: string[];
}

/** Playwright's own. */
const VIEWPORT = { width: 1280, height: 720 };

/** Creates a pool of pages on a site. */
export function pagePool(browser: Browser, origin: string): PagePool {
  const free = new Map<string, Pooled>();
  const taken = new Map<Pooled, string>();

  async function open(options: BrowserContextOptions): Promise<Pooled> {
    const context = await browser.newContext({ baseURL: origin, ...options });
    const faults = watchContext(context, origin);
    return { page: await context.newPage(), options, faults };
  }

  return {
    async take(options = {}) {
      const kind = JSON.stringify(options);
      const pooled = free.get(kind) ?? (await open(options));
      free.delete(kind);
      taken.set(pooled, kind);
      return pooled.page;
    },
    async giveBack({ keeps }) {
      const faults: string[] = [];
      for (const [pooled, kind] of taken) {
        if (keeps && !free.has(kind)) {
          await empty(pooled);
          free.set(kind, pooled);
        } else await pooled.page.context().close();
        faults.push(...pooled.faults.splice(0));
      }
      taken.clear();
      return faults;
    },
  };
}

/** Leaves nothing of a test on its page. */
async function empty({ page, options }: Pooled): Promise<void> {
  const { colorScheme = "light", viewport = VIEWPORT } = options;
  page.removeAllListeners("request");
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await page.goto("about:blank");
  await page.emulateMedia({ colorScheme });
  if (viewport !== null) await page.setViewportSize(viewport);
}

import { buildSite, DIST } from "./build-site.ts";
import { launchBrowser } from "./launch-browser.ts";
import { serveSite } from "./serve-site.ts";
import { type PageTimes, timePages } from "./time-pages.ts";
import { weighPlayground, type Weight } from "./weigh-playground.ts";

/** What a browser loads for the playground, and how fast pages are on a slow phone. */
export interface SiteWeight extends Weight {
  readonly times: readonly PageTimes[];
}

/** Builds the site if it is out of date, and reports what a browser loads, and when it is seen. */
export async function weighSite(): Promise<SiteWeight> {
  await buildSite();
  const [server, browser] = await Promise.all([serveSite(DIST), launchBrowser()]);
  try {
    const context = await browser.newContext({ baseURL: server.origin });
    const weight = await weighPlayground(await context.newPage());
    return { ...weight, times: await timePages(browser, server.origin) };
  } finally {
    await browser.close();
    await server.close();
  }
}

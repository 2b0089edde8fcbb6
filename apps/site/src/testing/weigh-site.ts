import { chromium } from "playwright-core";
import { buildSite, DIST } from "./build-site.ts";
import { launchBrowser } from "./launch-browser.ts";
import { serveSite } from "./serve-site.ts";
import { weighPlayground, type Weight } from "./weigh-playground.ts";

/** Builds the site if it is out of date, and reports what a browser loads for the playground. */
export async function weighSite(): Promise<Weight> {
  await buildSite();
  const [server, launched] = await Promise.all([serveSite(DIST), launchBrowser()]);
  try {
    const browser = await chromium.connect(launched.wsEndpoint());
    const context = await browser.newContext({ baseURL: server.origin });
    return await weighPlayground(await context.newPage());
  } finally {
    await launched.close();
    await server.close();
  }
}

import type { TestProject } from "vitest/node";
import { buildSite, TESTED } from "./build-site.ts";
import { launchBrowser } from "./launch-browser.ts";
import { serveSite } from "./serve-site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The built site, and the browser that all test files share. */
    readonly site: { readonly origin: string; readonly browser: string };
  }
}

/** Builds the site if its sources are newer, serves it, and starts the browser. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildSite(TESTED);
  const [server, browser] = await Promise.all([serveSite(TESTED), launchBrowser()]);
  project.provide("site", { origin: server.origin, browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    await server.close();
  };
}

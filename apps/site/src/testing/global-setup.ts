import type { TestProject } from "vitest/node";
import { buildSite, TESTED } from "./build-site.ts";
import { serveSite } from "./serve-site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The built site. */
    readonly site: { readonly origin: string };
  }
}

/** Builds the site if its sources are newer, and serves it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildSite(TESTED);
  const server = await serveSite(TESTED);
  project.provide("site", { origin: server.origin });
  return () => server.close();
}

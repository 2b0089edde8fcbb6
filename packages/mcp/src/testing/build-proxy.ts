import { join, resolve } from "node:path";
import { buildCommand } from "@toolcontract/built-command";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The file that starts the built proxy. */
    readonly proxy: string;
  }
}

/** Builds the proxy once for a run of the tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = resolve(import.meta.dirname, "../..");
  const built = await buildCommand({ folder, entry: "src/cli.ts" });
  project.provide("proxy", join(built.folder, "cli.js"));
  return built.remove;
}

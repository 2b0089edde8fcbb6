import { join, resolve } from "node:path";
import { buildCommand } from "@toolcontract/built-command";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The file that starts the built command. */
    readonly cli: string;
  }
}

/** Builds the command once for a run of the tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = resolve(import.meta.dirname, "../..");
  const built = await buildCommand({ folder, entry: "src/cli.ts" });
  project.provide("cli", join(built.folder, "cli.js"));
  return built.remove;
}

import { resolve } from "node:path";
import { buildCommand } from "@toolcontract/built-command";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built command. */
    readonly command: string;
  }
}

/** Builds the command once for a run of the tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = resolve(import.meta.dirname, "../..");
  const built = await buildCommand({ folder, entry: "src/main.ts" });
  project.provide("command", built.folder);
  return built.remove;
}

import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCommand } from "@toolcontract/built-command";
import type { TestProject } from "vitest/node";
import { CLIENTS } from "./clients.ts";
import { POSTGRES_CLIENTS } from "./postgres-clients.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The file that runs one of several processes on an engine. */
    readonly engineProcess: string;
  }
}

const PROGRAM = fileURLToPath(new URL("engine-process.ts", import.meta.url));

/** Builds the program once for a run of the tests: as sources, it loads for longer than it works. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = resolve(import.meta.dirname, "../..");
  const built = await buildCommand({
    folder,
    entry: relative(folder, PROGRAM),
    external: [...CLIENTS, ...POSTGRES_CLIENTS].map(([name]) => name),
  });
  project.provide("engineProcess", join(built.folder, "engine-process.js"));
  return built.remove;
}

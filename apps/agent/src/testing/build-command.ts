import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import manifest from "../../package.json" with { type: "json" };

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built command. */
    readonly command: string;
  }
}

const APP = resolve(import.meta.dirname, "../..");

/** Builds the command as it is published, once for a run of the tests: its dependencies stay outside. */
export async function setup(project: TestProject): Promise<() => void> {
  // From here they resolve, and git does not see it.
  const cache = join(APP, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const command = mkdtempSync(join(cache, "command-"));
  await build({
    absWorkingDir: APP,
    entryPoints: ["src/main.ts"],
    outdir: command,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    external: Object.keys(manifest.dependencies).filter(
      (name) => !name.startsWith("@toolcontract/"),
    ),
    // What our packages depend on is partly CommonJS.
    banner: { js: REQUIRE },
    logLevel: "warning",
  });
  project.provide("command", command);
  return () => rmSync(command, { recursive: true, force: true });
}

const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

import { join } from "node:path";
import type { Graded, Kit } from "@toolcontract/graded/kit";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import type { Job } from "./cloudflare-agents.worker.ts";

// Bundling takes long, and is not the program's time.
const worker = await start();

export const bare: Graded = async (kit) => ask(kit, false);

export const contract: Graded = async (kit) => ask(kit, true);

/** Cloudflare's runtime, with the worker that is beside this file. */
async function start(): Promise<Miniflare> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "cloudflare-agents.worker.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    alias: { path: "node:path" },
    logLevel: "error",
  });
  return new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: "2026-04-01",
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { Helper: { className: "Helper", useSQLite: true } },
  });
}

async function ask({ baseUrl, prompt, tools, isStream, ranUrl }: Kit, isGuarded: boolean) {
  const job: Job = { baseUrl, ranUrl, prompt, tools, isStream, isGuarded };
  const body = JSON.stringify(job);
  const response = await worker.dispatchFetch("http://worker/", { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
}

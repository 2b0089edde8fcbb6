import { importOn } from "@toolcontract/case-table/other-version";
import type * as adapter from "../index.ts";

/** One supported version of the SDK with the adapter on top of it. */
export interface Sdk {
  readonly version: "0.20" | "0.11";
  readonly agents: typeof import("@openai/agents");
  readonly adapter: typeof adapter;
}

/** Loads the adapter as in a project with this version of the SDK. */
export async function loadSdk(version: Sdk["version"]): Promise<Sdk> {
  const { agents, adapter: loaded } = version === "0.20" ? await loadNewest() : await loadOldest();
  agents.setTracingDisabled(true);
  return { version, agents, adapter: loaded };
}

type Loaded = Pick<Sdk, "agents" | "adapter">;

async function loadNewest(): Promise<Loaded> {
  return { agents: await import("@openai/agents"), adapter: await import("../index.ts") };
}

async function loadOldest(): Promise<Loaded> {
  const agents = (await import("openai-agents-0.11")) as unknown as Sdk["agents"];
  const name = "openai-agents-0.11";
  const [loaded] = await importOn<[typeof adapter]>(
    { name, sources: new URL("../", import.meta.url), packages: { "@openai/agents": name } },
    "index.ts",
  );
  return { agents, adapter: loaded };
}

import { vi } from "vitest";
import type * as adapter from "../index.ts";

/** One supported version of the SDK with the adapter on top of it. */
export interface Sdk {
  readonly version: "0.20" | "0.11";
  readonly agents: typeof import("@openai/agents");
  readonly adapter: typeof adapter;
}

/** Loads the adapter as in a project with this version of the SDK. */
export async function loadSdk(version: Sdk["version"]): Promise<Sdk> {
  vi.resetModules();
  vi.doUnmock("@openai/agents");
  const agents = (await importAgents(version)) as Sdk["agents"];
  if (version !== "0.20") vi.doMock("@openai/agents", () => agents);
  const loaded = await import("../index.ts");
  vi.doUnmock("@openai/agents");
  // Test files share their modules: the next one is to import the adapter on the newest version.
  vi.resetModules();
  agents.setTracingDisabled(true);
  return { version, agents, adapter: loaded };
}

async function importAgents(version: Sdk["version"]): Promise<unknown> {
  return version === "0.20" ? import("@openai/agents") : import("openai-agents-0.11");
}

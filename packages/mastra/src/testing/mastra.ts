import { vi } from "vitest";
import type * as adapter from "../index.ts";

/** One supported version of Mastra with the adapter on top of it. */
export interface Lab {
  readonly version: "1.71" | "1.42";
  readonly agent: typeof import("@mastra/core/agent");
  readonly tools: typeof import("@mastra/core/tools");
  /** Keeps runs that wait for a person. */
  readonly Mastra: typeof import("@mastra/core").Mastra;
  readonly InMemoryStore: typeof import("@mastra/core/storage").InMemoryStore;
  readonly adapter: typeof adapter;
}

/** Loads the adapter as in a project with this version of Mastra. */
export async function loadMastra(version: Lab["version"]): Promise<Lab> {
  if (version === "1.71") {
    const agent = await import("@mastra/core/agent");
    return {
      version,
      agent,
      tools: await import("@mastra/core/tools"),
      Mastra: (await import("@mastra/core")).Mastra,
      InMemoryStore: (await import("@mastra/core/storage")).InMemoryStore,
      adapter: await import("../index.ts"),
    };
  }
  vi.resetModules();
  const agent = (await import("mastra-1.42/agent")) as unknown as Lab["agent"];
  const tools = (await import("mastra-1.42/tools")) as unknown as Lab["tools"];
  const llm = await import("mastra-1.42/llm");
  const { Mastra } = (await import("mastra-1.42")) as unknown as Pick<Lab, "Mastra">;
  const storage = (await import("mastra-1.42/storage")) as unknown as Pick<Lab, "InMemoryStore">;
  vi.doMock("@mastra/core/tools", () => tools);
  vi.doMock("@mastra/core/llm", () => llm);
  const loaded = await import("../index.ts");
  vi.doUnmock("@mastra/core/tools");
  vi.doUnmock("@mastra/core/llm");
  // Test files share their modules: the next one is to import the adapter on the newest version.
  vi.resetModules();
  return { version, agent, tools, Mastra, InMemoryStore: storage.InMemoryStore, adapter: loaded };
}

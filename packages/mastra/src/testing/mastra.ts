import { importOn } from "@toolcontract/case-table/other-version";
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
  const agent = (await import("mastra-1.42/agent")) as unknown as Lab["agent"];
  const tools = (await import("mastra-1.42/tools")) as unknown as Lab["tools"];
  const { Mastra } = (await import("mastra-1.42")) as unknown as Pick<Lab, "Mastra">;
  const storage = (await import("mastra-1.42/storage")) as unknown as Pick<Lab, "InMemoryStore">;
  const name = "mastra-1.42";
  const [loaded] = await importOn<[typeof adapter]>(
    { name, sources: new URL("../", import.meta.url), packages: { "@mastra/core": name } },
    "index.ts",
  );
  return { version, agent, tools, Mastra, InMemoryStore: storage.InMemoryStore, adapter: loaded };
}

// Node loads it first in each worker and in each process that a test starts, so that mutants and probes work there.
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { announceReached } from "./reached.ts";
import { readSources } from "./sources.ts";

const sources = readSources();

if (Object.keys(sources).length > 0) {
  announceReached(process.env["MUTATE_TEST"] ?? "");
  registerHooks({
    load(url, context, nextLoad) {
      const source = url.startsWith("file:") ? sources[fileURLToPath(url)] : undefined;
      if (source === undefined) return nextLoad(url, context);
      return { format: "module-typescript", source, shortCircuit: true };
    },
  });
}

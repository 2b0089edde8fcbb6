import type { SessionEvent } from "@toolcontract/session";
import type { Result } from "./output.ts";

/** What the metadata of a report says about the run that made it. */
export interface Summary {
  readonly on: (event: SessionEvent) => void;
  /** Adds it to the report, beside what the model said. */
  readonly addTo: (result: Result, servers: LostServers) => Result;
}

/** The servers that died in a run. */
export interface LostServers {
  readonly restarted: readonly string[];
  readonly lost: readonly string[];
}

/** Creates the summary of one run: the tools that ran, servers that died, and results that were cut. */
export function createSummary(): Summary {
  const tools = new Set<string>();
  const truncated = new Set<string>();
  return {
    on(event) {
      if (event.type === "tool-truncated") truncated.add(event.tool);
      if (event.type === "entry" && event.entry.type === "tool") tools.add(event.entry.command);
    },
    addTo(result, { restarted, lost }) {
      const { finalReport } = result;
      if (!finalReport) return result;
      const metadata = {
        ...finalReport.metadata,
        ...listed("tools", [...tools]),
        ...listed("truncated_results", [...truncated]),
        ...listed("servers_restarted", restarted),
        ...listed("servers_lost", lost),
      };
      if (Object.keys(metadata).length === 0) return result;
      return { ...result, finalReport: { ...finalReport, metadata } };
    },
  };
}

function listed(key: string, names: readonly string[]): object {
  return names.length === 0 ? {} : { [key]: names };
}

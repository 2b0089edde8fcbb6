import type { ToolDefinition } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";

const MAX_TOOLS = 10_000;

/** Names the run in which a tool's attempts count. */
export interface AttemptRuns {
  /** A new run begins where the tool was idle for long, or where it changed. */
  runOf(attemptKey: string, tool: ToolDefinition | undefined): string;
}

/** When a run ends. */
export interface RunsOptions {
  readonly clock: () => number;
  readonly attemptWindowMs: number;
}

interface Run {
  readonly runId: string;
  readonly tool: ToolDefinition | undefined;
  readonly touchedAt: number;
}

/** Makes the register of runs. */
export function createAttemptRuns({ clock, attemptWindowMs }: RunsOptions): AttemptRuns {
  const runs = createRecentMap<string, Run>(MAX_TOOLS);
  const prefix = Math.random().toString(36).slice(2);
  let serial = 0;

  return {
    runOf(attemptKey, tool) {
      const key = JSON.stringify([attemptKey, tool?.name]);
      const touchedAt = clock();
      const last = runs.get(key);
      const goesOn =
        last !== undefined && last.tool === tool && touchedAt - last.touchedAt < attemptWindowMs;
      if (!goesOn) serial += 1;
      const runId = goesOn ? last.runId : `${prefix}-${serial}`;
      runs.set(key, { runId, tool, touchedAt });
      return runId;
    },
  };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "@toolcontract/core";
import type { CorpusTool } from "../corpus.ts";

/** A call of a published tool as models make it, and what one reader found of the answer to it. */
export interface GradedCall {
  readonly tool: CorpusTool;
  /** The mistake, in a few words. */
  readonly about: string;
  readonly sent: unknown;
  /**
   * How good the answer is; none misleads. `weak`: the model has to find out by itself under which name a value belongs.
   * `valid` and `repaired` calls run.
   */
  readonly grade: "perfect" | "fine" | "weak" | "valid" | "repaired";
  /** The code and the place of each fault. */
  readonly faults: readonly string[];
  /** What the call becomes if its hints are followed; absent if they name no change. */
  readonly followed?: unknown;
}

/** Reads the calls of 22 tools, rebuilt from published ones. */
export function readGradedCalls(): readonly GradedCall[] {
  const tools = read("tools.json") as Readonly<Record<string, JsonSchema>>;
  return (read("calls.json") as readonly Row[]).map(({ tool, faults = [], ...call }) => ({
    ...call,
    faults,
    tool: { name: tool, inputSchema: tools[tool] ?? true },
  }));
}

type Row = Omit<GradedCall, "tool" | "faults"> & {
  readonly tool: string;
  readonly faults?: readonly string[];
};

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, "graded", file), "utf8"));
}

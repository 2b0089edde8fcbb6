import type { Attempt } from "@toolcontract/session";
import type { ResolvedTarget } from "./targets.ts";

/** Corrects a part of an answer, or the answer. */
export type Correct = <T extends object>(part: T) => T;

/** What is corrected, as far as it is there. */
interface Correctable {
  readonly type?: string;
  readonly toolName?: string;
  readonly usage?: unknown;
}

/**
 * Corrects what would lose an answer: another name of the report tool, which the SDK would not find, and usage of a
 * shape that the SDK cannot read.
 */
export function correctionFor(attempt: Attempt<ResolvedTarget>): Correct {
  const { specificationVersion } = attempt.target.model;
  return (part) => {
    const { type, toolName, usage }: Correctable = part;
    if (toolName !== undefined) return { ...part, toolName: attempt.toolName(toolName) };
    const isEnd = type === "finish" || type === undefined;
    return isEnd ? { ...part, usage: readable(usage, specificationVersion) } : part;
  };
}

/** Version 5 has numbers, later versions an object for each side. */
function readable(given: unknown, version: string): object {
  const usage = Object(given) as {
    readonly inputTokens?: unknown;
    readonly outputTokens?: unknown;
  };
  if (version === "v2") return usage;
  const { inputTokens, outputTokens } = usage;
  return { ...usage, inputTokens: Object(inputTokens), outputTokens: Object(outputTokens) };
}

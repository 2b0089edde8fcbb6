import type { ConformanceCase } from "./conformance-case.ts";

/**
 * What a case may need from its host, and not every host has.
 *
 * `advisories`: it can add text to what a tool returned. `finishReason`: it says why the output ended. `guardrails`: the
 * package of guardrails can be loaded beside it. `rawText`: it passes on arguments that are not a JSON object as the model wrote them. `rules`: functions can be passed to the contract.
 * `stages`: a stage around execution can be passed to the contract. `turns`: it can make several calls at once. `unknownTools`: calls of undeclared tools reach the contract.
 * `userMessages`: it marks where a new user message begins.
 */
export type Capability =
  | "advisories"
  | "finishReason"
  | "guardrails"
  | "rawText"
  | "rules"
  | "stages"
  | "turns"
  | "unknownTools"
  | "userMessages";

/** What a case needs from its host, read from its rows, so that no case can forget to declare it. */
export function needsOf({
  tools,
  options,
  turns,
  guarded,
}: ConformanceCase): readonly Capability[] {
  const calls = turns.flatMap((turn) => turn.calls);
  const declared = new Set(tools.map((tool) => tool.name));
  const needs: Record<Capability, boolean> = {
    advisories: options?.reportAdvisories === true,
    finishReason: turns.some((turn) => turn.finishReason !== undefined),
    guardrails: guarded !== undefined,
    rawText: calls.some((call) => !isObjectText(call.arguments)),
    rules: options?.rules !== undefined,
    stages: options?.guardrails !== undefined,
    turns: turns.some((turn) => turn.calls.length > 1),
    unknownTools: calls.some((call) => !declared.has(call.tool)),
    userMessages: turns.slice(1).some((turn) => turn.user === true),
  };
  return Object.entries(needs).flatMap(([name, needed]) => (needed ? [name as Capability] : []));
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

import type { ConformanceCase } from "./conformance-case.ts";

/**
 * What a case may need of a host that not every host has.
 *
 * `advisories`: it can add a word to what a tool returned. `finishReason`: it tells why the provider ended the output. `rawText`: it shows arguments that are no JSON
 * object as the model wrote them. `rules`: the contract runs where functions can be given to it. `turns`: it can
 * make several calls at once. `unknownTools`: a call of an undeclared tool comes to the contract.
 * `userMessages`: it tells where a new message of the user begins.
 */
export type Capability =
  | "advisories"
  | "finishReason"
  | "rawText"
  | "rules"
  | "turns"
  | "unknownTools"
  | "userMessages";

/** What a case needs of its host, read from its rows so that none can forget to say it. */
export function needsOf({ tools, options, turns }: ConformanceCase): readonly Capability[] {
  const calls = turns.flatMap((turn) => turn.calls);
  const declared = new Set(tools.map((tool) => tool.name));
  const needs: Record<Capability, boolean> = {
    advisories: options?.reportAdvisories === true,
    finishReason: turns.some((turn) => turn.finishReason !== undefined),
    rawText: calls.some((call) => !isObjectText(call.arguments)),
    rules: options?.rules !== undefined,
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

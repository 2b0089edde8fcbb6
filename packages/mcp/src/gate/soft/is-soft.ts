import type { CheckResult, InvalidArguments, ToolDefinition } from "@toolcontract/core";
import { lenientTool } from "./lenient-tool.ts";
import { sizeWithin } from "../../wire/index.ts";
import { createRepairedCopy } from "./repaired-copy.ts";

/** Each round repairs as many errors as a message shows, and checks everything again. */
const ROUNDS = { least: 3, most: 50 } as const;
/** How many characters of JSON all rounds together may check. */
const MAX_CHECKED = 10_000_000;

/** Checks arguments against a tool. */
type CheckArguments = (tool: ToolDefinition, args: unknown) => CheckResult | Promise<CheckResult>;

/**
 * Whether invalid arguments are soft: some servers accept them, because a few narrow repairs make them valid for a
 * lenient reading of the schema. All other invalid arguments are hard.
 */
export async function isSoft(
  checked: InvalidArguments,
  tool: ToolDefinition,
  args: unknown,
  check: CheckArguments,
): Promise<boolean> {
  const lenient = lenientTool(tool);
  const copy = createRepairedCopy(args);
  let result: CheckResult = lenient === tool ? checked : await check(lenient, args);
  for (let left = roundsFor(args); left > 0 && result.status === "invalid"; left -= 1) {
    if (!copy.repair(result.errors)) return false;
    result = await check(lenient, copy.value());
  }
  return result.status === "valid";
}

/** Small arguments get many rounds; large ones few, because checking them blocks the event loop. */
function roundsFor(args: unknown): number {
  const fitting = Math.floor(MAX_CHECKED / sizeWithin(args, MAX_CHECKED / ROUNDS.least));
  return Math.min(ROUNDS.most, Math.max(ROUNDS.least, fitting));
}

import type { CheckResult, Contract, InvalidArguments, ToolDefinition } from "@toolcontract/core";
import { isRecord } from "../wire/index.ts";
import { lenientTool } from "./lenient-tool.ts";
import { createRepairedCopy } from "./repaired-copy.ts";

/** Each round repairs as many errors as a message shows, and checks everything again. */
const ROUNDS = { least: 3, most: 50 } as const;
/** How many characters of JSON all rounds together may check. */
const MAX_CHECKED = 10_000_000;

/** Checks arguments against a tool; synchronous if the contract has nothing asynchronous. */
export type Check = (
  tool: ToolDefinition,
  args: unknown,
  signal?: AbortSignal,
) => CheckResult | Promise<CheckResult>;

/** Creates the check of a contract; `isSynchronous` if the user has given no rules and no redactors. */
export function checkOf(contract: Contract, isSynchronous: boolean): Check {
  return (tool, args, signal) => {
    const given = toArguments(args);
    if (given !== undefined && !isRecord(given)) return checkNonObject(tool, given, contract);
    if (isSynchronous) return contract.check(tool, given);
    return contract.checkAsync(tool, given, signal && { signal });
  };
}

/** Encodes a string as JSON: core parses a string as JSON text, but here it is a value of the wrong type. */
export function toArguments(args: unknown): unknown {
  return typeof args === "string" ? JSON.stringify(args) : args;
}

/** A schema may allow any type, but the protocol requires an object. */
async function checkNonObject(
  tool: ToolDefinition,
  given: unknown,
  contract: Contract,
): Promise<CheckResult> {
  const { inputSchema } = tool;
  const open = { name: tool.name, inputSchema: { type: "object" } } as const;
  if (inputSchema === undefined) return contract.checkAsync(open, given);
  const checked = await contract.checkAsync(tool, given);
  return checked.status === "invalid" ? checked : contract.checkAsync(open, given);
}

/**
 * Whether invalid arguments are soft: some servers accept them, because a few narrow repairs make them valid for a
 * lenient reading of the schema. All other invalid arguments are hard.
 */
export async function isSoft(
  checked: InvalidArguments,
  tool: ToolDefinition,
  args: unknown,
  check: Check,
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
  const fitting = Math.floor(MAX_CHECKED / sizeOf(args));
  return Math.min(ROUNDS.most, Math.max(ROUNDS.least, fitting));
}

function sizeOf(args: unknown): number {
  try {
    return JSON.stringify(args)?.length ?? 1;
  } catch {
    // Nested so deeply that serializing it overflows the stack.
    return MAX_CHECKED;
  }
}

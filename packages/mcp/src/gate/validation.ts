import type {
  CheckResult,
  Contract,
  InvalidArguments,
  ToolDefinition,
  ValidArguments,
} from "@toolcontract/core";
import { lenientTool } from "./lenient-tool.ts";
import { createRepairedCopy } from "./repaired-copy.ts";
import { isRecord } from "../wire/index.ts";

/** Each round mends as many errors as a message holds, and checks everything again. */
const ROUNDS = { least: 3, most: 50 } as const;
/** How much text all rounds may check together. */
const MAX_CHECKED = 10_000_000;

/**
 * What the contract thinks of a call: valid, invalid in a way that some servers take nevertheless, or invalid for
 * any server.
 */
export type Validation =
  | { readonly kind: "ok"; readonly checked: ValidArguments }
  | { readonly kind: "soft" | "hard"; readonly checked: InvalidArguments };

/** How a contract checks: at once where nothing in it can be asynchronous. */
export type Check = (
  tool: ToolDefinition,
  args: unknown,
  signal?: AbortSignal,
) => CheckResult | Promise<CheckResult>;

/** The contract's check; `isPlain` says that no rule and no redactor of the user's takes part. */
export function checkOf(contract: Contract, isPlain: boolean): Check {
  return (tool, args, signal) => {
    const given = toArguments(args);
    if (given !== undefined && !isRecord(given)) return checkForm(tool, given, contract);
    if (isPlain) return contract.check(tool, given);
    return contract.checkAsync(tool, given, signal && { signal });
  };
}

/** Core reads a string as JSON text, but here it is a value of the wrong type. */
export function toArguments(args: unknown): unknown {
  return typeof args === "string" ? JSON.stringify(args) : args;
}

/** A schema may take anything, but the protocol knows only objects. */
async function checkForm(
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

/** Tells soft from hard: soft is what a copy mended in a few narrow ways makes valid for a lenient reading of the schema. */
export async function classify(
  checked: InvalidArguments,
  tool: ToolDefinition,
  args: unknown,
  check: Check,
): Promise<Validation> {
  const lenient = lenientTool(tool);
  const copy = createRepairedCopy(args);
  let result: CheckResult = lenient === tool ? checked : await check(lenient, args);
  for (let left = roundsFor(args); left > 0 && result.status === "invalid"; left -= 1) {
    if (!copy.mend(result.errors)) return { kind: "hard", checked };
    result = await check(lenient, copy.value());
  }
  return { kind: result.status === "valid" ? "soft" : "hard", checked };
}

/** Small arguments are mended however many errors they hold; large ones must not keep everybody waiting. */
function roundsFor(args: unknown): number {
  const fitting = Math.floor(MAX_CHECKED / sizeOf(args));
  return Math.min(ROUNDS.most, Math.max(ROUNDS.least, fitting));
}

function sizeOf(args: unknown): number {
  try {
    return JSON.stringify(args)?.length ?? 1;
  } catch {
    // Nested so deep that writing it down overflows the stack.
    return MAX_CHECKED;
  }
}

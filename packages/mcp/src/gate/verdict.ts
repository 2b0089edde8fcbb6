import type {
  CheckResult,
  Contract,
  InvalidArguments,
  ToolDefinition,
  ValidArguments,
} from "@toolcontract/core";
import { mendCopy } from "./mended-copy.ts";
import { isRecord } from "./record.ts";

const MAX_ROUNDS = 20;

/**
 * What the contract thinks of a call: valid, invalid in a way that some servers take nevertheless, or invalid for
 * any server.
 */
export type Verdict =
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

/** Tells soft from hard: soft is what a copy mended in a few narrow ways makes valid. */
export async function classify(
  checked: InvalidArguments,
  tool: ToolDefinition,
  args: unknown,
  check: Check,
): Promise<Verdict> {
  let copy = args;
  let result: CheckResult = checked;
  for (let round = 0; round < MAX_ROUNDS && result.status === "invalid"; round += 1) {
    copy = mendCopy(copy, result.errors);
    if (copy === undefined) return { kind: "hard", checked };
    result = await check(tool, copy);
  }
  return { kind: result.status === "valid" ? "soft" : "hard", checked };
}

import type { CheckResult, Contract, ToolDefinition } from "@toolcontract/core";
import { isRecord } from "../wire/index.ts";

/** Checks arguments against a tool; synchronous if the contract has nothing asynchronous. */
export type CheckInGate = (
  tool: ToolDefinition,
  args: unknown,
  signal?: () => AbortSignal,
  rawText?: string,
) => CheckResult | Promise<CheckResult>;

/** Creates the check of a contract; `isSynchronous` if the user has given no rules and no redactors. */
export function checkOf(contract: Contract, isSynchronous: boolean): CheckInGate {
  const checked = checkIn(contract, isSynchronous);
  // A person is asked when the call runs.
  return (tool, args, signal, rawText) => {
    const result = checked(tool, args, signal, rawText);
    return result instanceof Promise ? result.then(withoutAsk) : withoutAsk(result);
  };
}

function withoutAsk(checked: CheckResult): CheckResult {
  return (checked.status === "invalid" && checked.refusal?.held) || checked;
}

function checkIn(contract: Contract, isSynchronous: boolean): CheckInGate {
  return (tool, args, signal, rawText) => {
    const given = toArguments(args);
    if (given !== undefined && !isRecord(given)) return checkNonObject(tool, given, contract);
    const sent = rawText === undefined ? undefined : { rawText };
    if (isSynchronous) return contract.check(tool, given, sent);
    return contract.checkAsync(tool, given, signal ? { ...sent, signal: signal() } : sent);
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

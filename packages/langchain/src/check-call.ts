import type { CheckResult, Contract, ToolDefinition } from "@toolcontract/core";
import type { JudgedCall } from "./judged-call.ts";

/** Checks the arguments of a call with all that its history says of them. */
export async function checkCall(
  { call, context: { finishReason } }: JudgedCall,
  tool: ToolDefinition,
  contract: Contract,
  signal?: AbortSignal,
): Promise<CheckResult> {
  const { rawText } = call;
  return contract.checkAsync(tool, call.arguments, {
    ...(finishReason !== undefined && { finishReason }),
    ...(rawText !== undefined && { rawText }),
    ...(signal && { signal }),
  });
}

import type { Execute } from "../shared/index.ts";
import type { AdmittedCall } from "./record.ts";

/** Runs the host's function with what the validator made of the arguments. */
export function runTool<TResult>(
  { record, output }: AdmittedCall,
  execute: Execute<TResult>,
): TResult {
  const { call, context } = record;
  const { signal } = context;
  signal?.throwIfAborted();
  return execute(output, { call, ...(signal && { signal }) });
}

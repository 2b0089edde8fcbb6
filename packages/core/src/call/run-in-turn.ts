import { isControlFlow } from "./control-flow.ts";
import type { HandledInTurn } from "./decision.ts";
import { answerThrown } from "./fail.ts";
import type { AdmittedCall } from "./record.ts";
import { runSettled } from "./run.ts";
import { watchCallback } from "./watch-callback.ts";
import type { Execute } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";

/**
 * Runs one call of a turn. What its tool throws is the answer to this call alone; what the host steers its run by comes
 * through as the same object.
 */
export async function runInTurn<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
): Promise<HandledInTurn<Awaited<TResult>>> {
  const thrown = new Set<unknown>();
  const watched = watchCallback(execute, (error) => thrown.add(error));
  try {
    return await runSettled(admitted, watched);
  } catch (error) {
    // A mistake of the stage's author, unless the tool itself threw it.
    const isMisuse = ToolContractError.isInstance(error) && !thrown.has(error);
    if (isMisuse || isControlFlow(error, admitted.record.context.signal)) throw error;
    return await answerThrown(admitted, error);
  }
}

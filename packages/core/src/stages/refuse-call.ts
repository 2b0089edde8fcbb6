import type { Blocked, Rejected } from "../admission.ts";
import { hashCall } from "../attempts/arguments-hash.ts";
import { toAttemptErrors } from "../attempts/attempt-error.ts";
import { countFailure } from "./attempts-of-call.ts";
import type { CallInProgress } from "./call-in-progress.ts";
import type { InvalidArguments } from "../check-result.ts";
import { countedName } from "./call-services.ts";
import { refuse } from "./refuse.ts";

/** Counts an invalid call as a failed attempt and answers it. */
export async function refuseCall(
  progress: CallInProgress,
  result: InvalidArguments,
): Promise<Rejected | Blocked> {
  const { call, tool, context, services } = progress;
  const { errors, repairs } = result;
  const argumentsHash = hashCall(call, tool === undefined);
  const counted = await countFailure(progress, { argumentsHash, errors: toAttemptErrors(errors) });
  const { conversationId, correlationId = conversationId } = context;
  return refuse(
    {
      ...result,
      call,
      tool,
      label: countedName(tool),
      argumentsHash,
      conversationId,
      correlationId,
      repaired: repairs.length > 0,
      ...counted,
    },
    services,
  );
}

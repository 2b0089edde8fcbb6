import type { StageRefusal } from "../shared/index.ts";
import { refusedAfter, sentText } from "./check.ts";
import type { InvalidArguments, Refused } from "./decision.ts";
import type { AdmittedCall } from "./record.ts";
import { refuseCall } from "./refuse.ts";

/** Refuses a call that the stage has refused when it ran, or that has run before. */
export async function refuseByStage(
  admitted: AdmittedCall,
  refusal: StageRefusal,
): Promise<Refused> {
  const { record } = admitted;
  const { signal } = record.context;
  // A call cancelled while it ran counts as never made.
  signal?.throwIfAborted();
  const result = await foundByStage(admitted, refusal);
  signal?.throwIfAborted();
  return refuseCall(record, result, { hasRun: true });
}

/** What a stage found when a call ran, written for the model. */
export async function foundByStage(
  { record, input, output }: AdmittedCall,
  refusal: StageRefusal,
): Promise<InvalidArguments> {
  const { call } = record;
  const text = sentText(call.arguments, call.rawText);
  return refusedAfter(refusal, { input, output, text }, record.plan());
}

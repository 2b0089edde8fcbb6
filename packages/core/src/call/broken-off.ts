import type { Refused } from "./decision.ts";
import type { AdmittedCall } from "./record.ts";
import { refuseByStage } from "./refuse-by-stage.ts";
import { toRefusal } from "./stage.ts";

const WANTS = '`brokenOff` of unrepeatable() must be { action: "retry" | "stop", … }';

/** The run of a call was broken off, so nobody knows what it did: the model reads that, once, as an attempt. */
export async function refuseBrokenOff(
  admitted: AdmittedCall,
  element: string,
): Promise<Refused | undefined> {
  const { record, checked } = admitted;
  const { journal, options } = record.services;
  const { guardrails: stage } = options;
  const { brokenOff } = stage?.unrepeatable?.(record.name, record.call) ?? {};
  if (stage === undefined || brokenOff === undefined) return undefined;
  const handled = await refuseByStage(admitted, toRefusal(stage, brokenOff, WANTS));
  journal?.keep(element, { kind: "answered", handled, checked });
  return handled;
}

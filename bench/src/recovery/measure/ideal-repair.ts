import type { SpoiltCall } from "../cases/spoilt-call.ts";
import { judgeOfTool } from "../judge-of-tool.ts";
import { readContract } from "../reading/read-contract.ts";
import { correctCall } from "../repair/correct-call.ts";
import { idealText } from "./ideal-text.ts";

/** Whether the corrector makes a call valid at once when the text says all that there is to say. */
export function idealRepairs(spoilt: SpoiltCall): boolean {
  const corrected = correctCall(spoilt.args, readContract(idealText(spoilt)));
  return judgeOfTool(spoilt.tool)(corrected);
}

import { reportFromText } from "../report/index.ts";
import type { FinalReport } from "../shared/index.ts";
import type { RunLimits } from "./options.ts";

/** The report in a text of the model, held to what a call of the report tool is held to. */
export function textReport(text: string, limits: RunLimits): FinalReport | undefined {
  const { expectedOutputFormat: format, clock, given } = limits;
  const { outputSchema } = given;
  return reportFromText(text, { format, clock, ...(outputSchema && { outputSchema }) });
}

import type { Admitted } from "../admission.ts";
import { formatAdvisories } from "../message/format-advisories.ts";
import type { CallServices } from "./call-services.ts";
import type { ToolCall } from "../tool-call.ts";
import { createToolResult, type ToolResult } from "../tool-result.ts";
import { toWireOutput } from "./tool-output.ts";

/** The result of a call that ran, with its advisories where the model is to know of them. */
export function executedResult(
  call: ToolCall,
  output: unknown,
  { advisories }: Admitted,
  { options }: CallServices,
): ToolResult {
  const { content, isError } = toWireOutput(output);
  const told = options.reportAdvisories && advisories.length > 0;
  const note = told ? `\n\n${formatAdvisories(advisories, options.format)}` : "";
  return createToolResult(call, {
    content: content + note,
    status: "executed",
    isError,
    advisories,
  });
}

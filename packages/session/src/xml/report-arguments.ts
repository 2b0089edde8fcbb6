import { jsonOrText } from "@toolcontract/core/adapter";
import { contentFieldOf } from "../report/index.ts";
import type { ReportFormat } from "../shared/index.ts";

/**
 * The arguments of the report tool for what stood in a tag, as JSON. The payload goes into the field of the session's
 * format, and nothing of the tag goes into the payload; JSON that can be parsed is, and what cannot is left to the
 * report's own repair.
 */
export function reportArguments(
  format: string | undefined,
  content: string,
  expected: ReportFormat,
): string {
  const field = contentFieldOf(expected);
  const payload = field === "content" ? content : jsonOrText(content);
  return JSON.stringify({ ...(format !== undefined && { format }), [field]: payload });
}

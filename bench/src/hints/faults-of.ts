import type { JsonSchema } from "@toolcontract/core";
import type { CorpusTool } from "../corpus.ts";
import type { Slip } from "./slips.ts";

export const TEXT = { type: "string" };
export const COUNT = { type: "integer", minimum: 1 };
export const DATE = { type: "string", format: "date" };
export const TIME = { type: "string", format: "date-time" };
export const TEXTS = { type: "array", items: TEXT };

export const object = (
  properties: object,
  required: readonly string[] = [],
  more: object = {},
): object => ({
  type: "object",
  properties,
  required,
  ...more,
});
export const CLOSED = { additionalProperties: false };

/**
 * A tool with what models send to it: each fault by its kind, as a value or as the text of the arguments; and what was
 * meant, where the rest of the call says it.
 */
export function faults(
  name: string,
  inputSchema: object,
  sent: Readonly<Record<string, unknown>>,
  meant: Readonly<Record<string, Slip["meant"]>> = {},
): readonly Slip[] {
  const tool: CorpusTool = { name, inputSchema: inputSchema as JsonSchema };
  return Object.entries(sent).map(([kind, args]) => {
    const known = meant[kind];
    return { tool, kind, sent: args, ...(known && { meant: known }) };
  });
}

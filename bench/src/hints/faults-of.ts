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

/** A tool with what models send to it: each fault by its kind, as a value or as the text of the arguments. */
export function faults(
  name: string,
  inputSchema: object,
  sent: Readonly<Record<string, unknown>>,
): readonly Slip[] {
  const tool: CorpusTool = { name, inputSchema: inputSchema as JsonSchema };
  return Object.entries(sent).map(([kind, args]) => ({ tool, kind, sent: args }));
}

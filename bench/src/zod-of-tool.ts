import { z } from "zod";
import type { CorpusTool } from "./corpus.ts";

const made = new WeakMap<CorpusTool, z.ZodType | undefined>();

/** Converts a tool's JSON Schema to zod; undefined if zod cannot read it. */
export function zodOfTool(tool: CorpusTool): z.ZodType | undefined {
  if (!made.has(tool)) made.set(tool, convert(tool));
  return made.get(tool);
}

function convert({ inputSchema }: CorpusTool): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(inputSchema);
  } catch {
    return undefined;
  }
}

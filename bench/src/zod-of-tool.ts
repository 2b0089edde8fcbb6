import { createContract } from "@toolcontract/core";
import { z } from "zod";
import type { CorpusCall, CorpusTool } from "./corpus.ts";

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

const contract = createContract({ logger: false });

/**
 * Whether zod and the contract both find a call valid, or both do not. The contract repairs some slips that clients make: such a
 * call would run on one side only.
 */
export function bothSay({ tool, args, text }: CorpusCall, isValid: boolean): boolean {
  const validator = zodOfTool(tool);
  if (validator?.safeParse(args).success !== isValid) return false;
  const { status } = contract.check({ name: tool.name, validator }, text);
  return (status === "valid") === isValid;
}

import { createContract } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { jsonrepair } from "jsonrepair";

const contract = createContract({ interpreter: true, logger: false });
const ANY = { name: "any", inputSchema: true };

/** jsonrepair takes quadratic time. */
const MAX_REPAIRED = 32_768;

/**
 * Reads arguments as the contract reads them, or else as one object once their syntax is repaired; undefined if that
 * would complete what was cut off, or choose between several objects.
 */
export function readArguments(text: string): unknown {
  const read = contract.check(ANY, text);
  if (read.status === "valid") return read.input;
  if (text.length > MAX_REPAIRED) return undefined;
  const repaired = repair(text);
  const isWhole = contract.check(ANY, repaired, { rawText: text }).status === "valid";
  return isRecord(repaired) && isWhole ? repaired : undefined;
}

function repair(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

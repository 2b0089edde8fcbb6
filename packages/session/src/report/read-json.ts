import { type Contract, createContract, type SchemaObject } from "@toolcontract/core";
import { REPORT_TOOL } from "../shared/index.ts";

/** How often JSON may be a string of JSON. */
const MAX_ROUNDS = 3;
const ANYTHING = { name: REPORT_TOOL, inputSchema: {} } as const;

let reader: Contract | undefined;

/** The contract that parses and repairs; its verdict is checked again by the session's own. */
export function readerContract(): Contract {
  // Interpreted: a report is checked once in a run, and compiling its schema takes longer than that.
  reader ??= createContract({ unwrapStrings: true, interpreter: true, logger: false });
  return reader;
}

/** JSON out of a model's text: repaired if it has one clear reading, parsed again if it was a string of JSON. */
export function readJson(
  text: string,
): { readonly value: object; readonly hasProse: boolean } | undefined {
  let value: unknown = text;
  let hasProse = false;
  for (let round = 0; round < MAX_ROUNDS && typeof value === "string"; round += 1) {
    if (value.trim() === "") return undefined;
    const result = readerContract().check(ANYTHING, value);
    if (result.status === "invalid") return undefined;
    hasProse ||= result.repairs.some(({ step }) => step === "prose");
    value = result.input;
  }
  return typeof value === "object" && value !== null ? { value, hasProse } : undefined;
}

/** The value itself, or what a string of JSON holds. */
export function readIfJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return readJson(value)?.value ?? value;
}

/** A valid value, with stringified JSON parsed where the schema wants an object or array; undefined for any other. */
export function unwrapJson<T>(value: T, inputSchema: SchemaObject): T | undefined {
  const result = readerContract().check({ name: REPORT_TOOL, inputSchema }, value);
  return result.status === "valid" ? (result.input as T) : undefined;
}

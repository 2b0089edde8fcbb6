import {
  type CheckResult,
  type Contract,
  createContract,
  type SchemaObject,
} from "@toolcontract/core";
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
    // Most answers are prose: without a bracket there is no object in it.
    if (!/[{[]/.test(value)) return undefined;
    const whole = readerContract().check(ANYTHING, value);
    // A contract refuses a call with text around its arguments; a report may be written in prose.
    const result = whole.status === "valid" ? whole : checkWithoutProse(value);
    if (result?.status !== "valid") return undefined;
    hasProse ||= result !== whole;
    value = result.input;
  }
  return typeof value === "object" && value !== null ? { value, hasProse } : undefined;
}

/** Text outside the brackets that was meant as JSON. */
const NO_PROSE = /["'\u201d]\s*:/;

function checkWithoutProse(text: string): CheckResult | undefined {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  const object = text.slice(start, end);
  // An empty object in prose is part of the prose.
  if (start < 0 || /^[{[]\s*[}\]]$/.test(object)) return undefined;
  if (NO_PROSE.test(text.slice(0, start)) || NO_PROSE.test(text.slice(end))) return undefined;
  return readerContract().check(ANYTHING, object);
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

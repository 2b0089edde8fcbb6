import { ToolContractError } from "@toolcontract/core";

/** Throws what is wrong with the options, and what to pass instead. */
export const fail: (what: string) => never = (what) => {
  throw new ToolContractError(`createGuardrails: ${what}${what.endsWith("?") ? "" : "."}`);
};

/** Cuts a name for an error. */
export function shown(name: string): string {
  return name.slice(0, 64);
}

/** Reads an object; `example` shows what to pass instead of anything else. */
export function objectIn(
  what: string,
  given: unknown,
  example: string,
): Readonly<Record<string, unknown>> {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) {
    return given as Readonly<Record<string, unknown>>;
  }
  return fail(`${what} must be an object, such as ${example}`);
}

/** Whether it is a list of names. */
export function isListOfNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

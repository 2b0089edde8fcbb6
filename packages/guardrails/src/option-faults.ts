import { ToolContractError } from "@toolcontract/core";

/** Throws what is wrong with the options, and what to pass instead. */
export const fail: (what: string) => never = (what) => {
  throw new ToolContractError(`createGuardrails: ${what}${what.endsWith("?") ? "" : "."}`);
};

/** Cuts a name for an error. */
export function shownOption(name: string): string {
  return name.slice(0, 64);
}

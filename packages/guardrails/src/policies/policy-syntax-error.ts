import { ToolContractError } from "@toolcontract/core";

import type { Position } from "./position.ts";

/** What an engine says about a policy that it cannot read. */
export interface PolicyProblem {
  /** Which of the texts that were passed is wrong. */
  readonly part: "expression" | "policies" | "schema";
  /** What is wrong, in the engine's words. */
  readonly problem: string;
  /** Where in that text, if the engine said so. */
  readonly at?: Position;
}

/** Thrown for a policy that cannot be read; also as data, for those who know which file it is from. */
export class PolicySyntaxError extends ToolContractError {
  readonly found: PolicyProblem;

  constructor(message: string, found: PolicyProblem) {
    super(message);
    this.found = found;
  }
}

/** The place in words; empty if it is not known. */
export function placeOf({ at }: Pick<PolicyProblem, "at">): string {
  return at === undefined ? "" : `line ${at.line}, column ${at.column}`;
}

import { ToolContractError } from "@toolcontract/core";

import type { PolicyPosition } from "./position.ts";

/** What is wrong with a policy, mostly in the words of the engine that cannot read it. */
export interface PolicyProblem {
  /** Which of the texts that were passed is wrong; or the stage, in which it could refuse nothing. */
  readonly part: "expression" | "policies" | "schema" | "stage";
  /** What is wrong; of a stage, to follow the policy's name. */
  readonly problem: string;
  /** Where in that text, if the engine said so. */
  readonly at?: PolicyPosition;
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
export function whereIn({ at }: Pick<PolicyProblem, "at">): string {
  return at === undefined ? "" : `line ${at.line}, column ${at.column}`;
}

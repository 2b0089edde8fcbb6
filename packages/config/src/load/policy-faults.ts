import { createRequire } from "node:module";
import type { FaultInFile, Position } from "./config-fault.ts";
import type { CedarConfig, GuardrailsConfig, RuleConfig } from "./guardrails-config.ts";

/** A place in a file. */
export interface Spot extends Position {
  readonly file: string;
  /** A JSON Pointer. */
  readonly path: string;
}

/** A rule or Cedar file, and where it and its texts are written. */
export type PlacedPolicy = {
  readonly spot: Spot;
  readonly texts: Readonly<Partial<Record<"expression" | "policies" | "schema" | "stage", Spot>>>;
} & (
  | { readonly section: "rules"; readonly value: RuleConfig }
  | { readonly section: "cedar"; readonly value: CedarConfig }
);

type GuardrailsModule = typeof import("@toolcontract/guardrails/config");

const GUARDRAILS = "@toolcontract/guardrails";

/**
 * Has the policies checked by the engines that run them, if these are installed; with the effects of all layers, also
 * whether those that run at commit could undo what they refuse.
 */
export function faultsOfPolicies(
  policies: readonly PlacedPolicy[],
  effects?: GuardrailsConfig["effects"],
): readonly FaultInFile[] {
  const [first] = policies;
  if (first === undefined) return [];
  const guardrails = requireGuardrails();
  if (guardrails === undefined) return [missingPackage(first.spot, GUARDRAILS)];
  const rules = policies.filter((one) => one.section === "rules");
  const cedar = policies.filter((one) => one.section === "cedar");
  const found = guardrails.policyFaults({
    rules: rules.map(({ value }) => value),
    cedar: cedar.map(({ value }) => value),
    ...(effects && { effects }),
  });
  return found.flatMap(({ list, index, fault }): FaultInFile[] => {
    const policy = { rules, cedar }[list][index];
    if (policy === undefined) return [];
    if ("install" in fault) return [missingPackage(policy.spot, fault.install)];
    const { part, problem, at } = fault;
    const spot = policy.texts[part] ?? policy.spot;
    const words = problem.replaceAll(/\p{Cc}+/gu, " ").slice(0, MAX_PROBLEM);
    if (part === "stage") {
      return [{ ...spot, code: "invalid-policy", message: `The policy ${words}`, hint: EFFECTS }];
    }
    if (part !== "expression") {
      return [
        { ...spot, ...at, code: "invalid-policy", message: `Invalid Cedar ${part}: ${words}` },
      ];
    }
    const place = at === undefined ? "" : `, line ${at.line}, column ${at.column}`;
    return [
      { ...spot, code: "invalid-policy", message: `Invalid CEL expression${place}: ${words}` },
    ];
  });
}

const MAX_PROBLEM = 300;
const EFFECTS =
  "say in tools.guardrails.effects what its tools do; before irreversible ones, check with stage: validate";

function missingPackage(spot: Spot, name: string): FaultInFile {
  const message = `Policies need the package ${name}, which is not installed`;
  return { ...spot, code: "missing-package", message, hint: `npm install ${name}` };
}

/** Undefined if it is not installed: only files with policies need it. */
function requireGuardrails(): GuardrailsModule | undefined {
  try {
    return createRequire(import.meta.url)(`${GUARDRAILS}/config`) as GuardrailsModule;
  } catch (thrown) {
    const { code, message } = Object(thrown) as NodeJS.ErrnoException;
    const isMissing = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
    if (isMissing && message.includes(GUARDRAILS)) return undefined;
    throw thrown;
  }
}

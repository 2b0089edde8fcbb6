import { ToolContractError } from "@toolcontract/core";

import { commitFault } from "../transaction/index.ts";
import type { Effect, Guardrail, TerminalReason } from "../shared/index.ts";
import type { CedarOptions } from "./cedar/index.ts";
import type { CelGuardrailOptions } from "./cel/index.ts";
import { type PolicyEngine, loadEngine, type MissingPackage } from "./load-engine.ts";
import type { PolicyProblem, PolicySyntaxError } from "./policy-syntax-error.ts";

/** A rule of a configuration file: a condition in CEL and its words. */
export type RuleConfig = Pick<
  CelGuardrailOptions,
  "name" | "allow" | "deny" | "message" | "hint" | "fieldPath" | "tools" | "stage"
> & {
  /** Closes the tool for this reason; without one, the model can correct the call. */
  readonly reason?: TerminalReason;
};

/** The text of a file with Cedar policies. */
export type CedarConfig = Pick<CedarOptions, "name" | "policies" | "schema" | "tools" | "stage">;

/** The policies of configuration files. */
export interface FilePolicies {
  /** Conditions in CEL. */
  readonly rules?: readonly RuleConfig[];
  /** Policies in Cedar. */
  readonly cedar?: readonly CedarConfig[];
  /** What each tool does, which decides what policies that run at commit can refuse. */
  readonly effects?: Readonly<Record<string, Effect>>;
}

/** A policy of a configuration file that cannot be used. */
export interface PolicyFault {
  /** The list that it is in. */
  readonly list: "rules" | "cedar";
  /** Its place in that list. */
  readonly index: number;
  /** What is wrong with it; or the package that is not installed. */
  readonly fault: PolicyProblem | MissingPackage;
}

/**
 * Checks the policies of configuration files: their syntax, and that the engines for them are installed; with `effects`,
 * also that those which run at commit could undo what they refuse.
 *
 * @example
 * ```ts
 * for (const fault of policyFaults(policies)) console.error(fault);
 * ```
 * @see docs/guardrails-policies.md
 */
export function policyFaults(policies: FilePolicies): readonly PolicyFault[] {
  return faultsWith(loadEngine, policies);
}

/** The same with another way to load the engines. */
export function faultsWith(
  load: typeof loadEngine,
  { rules = [], cedar = [], effects }: FilePolicies,
): readonly PolicyFault[] {
  const ofRules = faultsIn(
    "rules",
    rules,
    () => load("cel"),
    ({ celGuardrail }, rule) => {
      celGuardrail(celOptions(rule));
    },
  );
  const ofCedar = faultsIn(
    "cedar",
    cedar,
    () => load("cedar"),
    ({ cedarGuardrails }, one) => {
      cedarGuardrails(cedarOptions(one));
    },
  );
  const ofStages = effects
    ? [...stageFaults("rules", rules, effects), ...stageFaults("cedar", cedar, effects)]
    : [];
  return [...ofRules, ...ofCedar, ...ofStages];
}

function stageFaults(
  list: PolicyFault["list"],
  policies: readonly (RuleConfig | CedarConfig)[],
  effects: Readonly<Record<string, Effect>>,
): readonly PolicyFault[] {
  return policies.flatMap((policy, index): PolicyFault[] => {
    if (policy.stage !== "commit") return [];
    const names = [...Object.keys(effects), ...(policy.tools ?? [])];
    const fault = commitFault(policy, [...new Set(names)], { effects });
    return fault ? [{ list, index, fault: { part: "stage", problem: fault.problem } }] : [];
  });
}

/** Makes guardrails of the policies of configuration files; throws if one cannot be used. */
export function guardrailsOf({ rules = [], cedar = [] }: FilePolicies): readonly Guardrail[] {
  const ofRules = rules.map((rule) =>
    engineEntry(loadEngine("cel")).celGuardrail(celOptions(rule)),
  );
  const ofCedar = cedar.flatMap((one) =>
    engineEntry(loadEngine("cedar")).cedarGuardrails(cedarOptions(one)),
  );
  return [...ofRules, ...ofCedar];
}

function faultsIn<Entry, Policy>(
  list: PolicyFault["list"],
  policies: readonly Policy[],
  load: () => PolicyEngine<Entry>,
  create: (entry: Entry, policy: Policy) => void,
): readonly PolicyFault[] {
  if (policies.length === 0) return [];
  const engine = load();
  if ("install" in engine) return [{ list, index: 0, fault: engine }];
  return policies.flatMap((policy, index): PolicyFault[] => {
    try {
      create(engine.entry, policy);
      return [];
    } catch (thrown) {
      // Its class may be of another copy of this package.
      const found = (thrown as Partial<PolicySyntaxError>).found;
      if (found === undefined) throw thrown;
      return [{ list, index, fault: found }];
    }
  });
}

function engineEntry<Entry>(engine: PolicyEngine<Entry>): Entry {
  if ("entry" in engine) return engine.entry;
  throw new ToolContractError(
    `guardrailsFrom: the package of the policy engine is missing: npm install ${engine.install}.`,
  );
}

/** Files say of a policy where it is, too. */
function cedarOptions({ name, policies, schema, tools, stage }: CedarConfig): CedarOptions {
  return { name, policies, schema, tools, stage } as CedarOptions;
}

function celOptions({ reason, ...rule }: RuleConfig): CelGuardrailOptions {
  return reason === undefined ? rule : { ...rule, class: "terminal_guardrail", reason };
}

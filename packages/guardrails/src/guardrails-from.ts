import { type Guardrails, type GuardrailsOptions, createGuardrails } from "./create-guardrails.ts";
import { type FilePolicies, guardrailsOf } from "./policies/index.ts";

/** The guardrails of configuration files, as `loadConfig` of `@toolcontract/config` returns them. */
export interface GuardrailsConfig
  extends FilePolicies, Pick<GuardrailsOptions<unknown>, "budgets" | "locks"> {}

/**
 * Creates guardrails from what configuration files say and the options that only code can set, such as the store. Where
 * both set the same budget, effect or locks, the code decides; its guardrails come after those of the files.
 *
 * @example
 * ```ts
 * const { options, guardrails } = loadConfig();
 * const contract = createContract({ ...options, guardrails: guardrailsFrom(guardrails, { store }) });
 * ```
 * @throws ToolContractError if the engine of a policy is not installed, or for a wrong option.
 * @see docs/guardrails-policies.md
 */
export function guardrailsFrom<State = unknown>(
  config: GuardrailsConfig,
  options: Partial<GuardrailsOptions<State>> = {},
): Guardrails<State> {
  return createGuardrails<State>({
    ...options,
    guardrails: [...guardrailsOf(config), ...(options.guardrails ?? [])],
    effects: { ...config.effects, ...options.effects },
    budgets: { ...config.budgets, ...options.budgets },
    locks: { ...config.locks, ...options.locks },
  });
}

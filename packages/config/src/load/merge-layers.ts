import type { ContractOptions } from "@toolcontract/core";
import type { OptionName } from "@toolcontract/core/options";
import { isRecord } from "@toolcontract/core/adapter";
import {
  LINT_KEY,
  LINT_OPTIONS,
  type LintConfig,
  optionPointer,
  toOptions,
} from "../format/index.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import type { GuardrailsConfig } from "./guardrails-config.ts";
import { mergeGuardrails } from "./merge-guardrails.ts";
import type { LayerReading, SetValue } from "./read-layer.ts";
import { memberAt } from "./read-tree.ts";

/** What all layers say about the contract. */
export interface ContractPart {
  readonly options: ContractOptions;
  readonly guardrails: GuardrailsConfig;
  readonly origins: Readonly<Record<string, ConfigOrigin>>;
}

/** Merges the contract's part of all layers, highest first. */
export function contractOf(layers: readonly LayerReading[]): ContractPart {
  const values = merged(layers.map((layer) => layer.values));
  const origins = [...values.values()].map(
    ({ option, origin }) => [optionPointer(option), origin] as const,
  );
  const own = mergeGuardrails(layers.map((layer) => layer.guardrails));
  return {
    options: toOptions(new Map([...values].map(([name, { value }]) => [name, value]))),
    guardrails: own.guardrails,
    origins: Object.fromEntries([...origins, ...own.origins]),
  };
}

/** Merges option by option: each comes from the highest layer that sets it. */
function merged(layers: readonly (readonly SetValue[])[]): ReadonlyMap<OptionName, SetValue> {
  const upwards = layers.toReversed().flat();
  return new Map(upwards.map((value) => [value.option.name, value]));
}

/** Merges what all layers say about the linter, highest first: setting by setting, and rule by rule. */
export function lintOf(layers: readonly LayerReading[]): LintConfig {
  const settings: Record<string, unknown> = {};
  for (const { tree } of layers.toReversed())
    for (const [name, { key }] of Object.entries(LINT_OPTIONS)) {
      const value = memberAt(tree?.value, [LINT_KEY, key]);
      if (value === undefined || value === null) continue;
      const before = settings[name];
      settings[name] = isRecord(value) ? { ...(isRecord(before) && before), ...value } : value;
    }
  // The schema accepts exactly this.
  return settings;
}

import { isRecord } from "@toolcontract/core/adapter";
import { LINT_KEY, LINT_OPTIONS, type LintConfig } from "../format/index.ts";
import type { LayerReading } from "./read-layer.ts";
import { memberAt } from "./read-tree.ts";

/** Merges what all layers say about the linter, highest first: setting by setting, and rule by rule. */
export function lintOf(layers: readonly LayerReading[]): LintConfig {
  const merged: Record<string, unknown> = {};
  for (const { tree } of layers.toReversed())
    for (const [name, { key }] of Object.entries(LINT_OPTIONS)) {
      const value = memberAt(tree?.value, [LINT_KEY, key]);
      if (value === undefined || value === null) continue;
      const before = merged[name];
      merged[name] = isRecord(value) ? { ...(isRecord(before) && before), ...value } : value;
    }
  // The schema accepts exactly this.
  return merged;
}

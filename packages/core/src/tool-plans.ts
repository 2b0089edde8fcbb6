import type { Faults } from "./faults.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { sharedSchemaCache } from "./schema/schema-cache.ts";
import type { Rule, ToolDefinition } from "./tool-definition.ts";

/** What checking a call of one tool needs, worked out once per tool. */
export interface ToolPlan {
  readonly judge: Judge;
  /** The tool's own rules, then those of the contract's options. */
  readonly rules: readonly Rule<never>[];
}

/** The plans of a contract's tools. */
export interface ToolPlans {
  get(tool: ToolDefinition): ToolPlan;
  /** Reports what the schema of a tool does not enforce, once. */
  reportWarnings(tool: ToolDefinition): void;
}

/** Makes the register of plans; it keeps no tool alive. */
export function createToolPlans(options: ResolvedOptions, faults: Faults): ToolPlans {
  const cache = sharedSchemaCache(options);
  const plans = new WeakMap<ToolDefinition, ToolPlan>();

  function get(tool: ToolDefinition): ToolPlan {
    const known = plans.get(tool);
    if (known) return known;
    const judge = createJudge(tool, cache);
    const extra = Object.hasOwn(options.rules, tool.name) ? (options.rules[tool.name] ?? []) : [];
    const plan = { judge, rules: [...(tool.rules ?? []), ...extra] };
    plans.set(tool, plan);
    return plan;
  }

  function reportWarnings(tool: ToolDefinition): void {
    if (tool.inputSchema === undefined) return;
    for (const warning of get(tool).judge.schema()?.warnings ?? []) {
      faults.report(`schema: ${warning}`, new Error(warning), tool.name);
    }
  }

  return { get, reportWarnings };
}

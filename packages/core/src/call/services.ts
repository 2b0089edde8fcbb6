import type { RetryTracker } from "../attempts/retry-tracker.ts";
import { UNKNOWN_TOOL } from "../attempts/count-attempts.ts";
import type { Escalation } from "../message/escalation.ts";
import type { FormatOptions } from "../message/format-options.ts";
import type { CallOutcome } from "../observe/metrics.ts";
import type { Redactor } from "../sanitize/redactor.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
import type { SchemaEngine } from "../schema/compile/compile-schema.ts";
import type { Faults } from "../observe/faults.ts";
import type { ToolPlan } from "./tool-plan.ts";
import type { Formatter, Rule, ToolDefinition } from "../shared/tool.ts";

/** The options that deciding a call depends on, with every default filled in. */
export interface CallOptions extends SchemaEngine {
  readonly maxAttempts: number;
  readonly format: FormatOptions;
  readonly unknownFields: "schema" | "warn" | "reject";
  readonly repairJson: boolean;
  readonly closeDangling: boolean;
  readonly unwrapStrings: boolean;
  readonly rules: Readonly<Record<string, readonly Rule<never>[]>>;
  readonly formatters: Readonly<Record<string, Formatter>>;
  readonly redact: readonly Redactor[];
  readonly onBlocked: "forgive" | "refuse";
  readonly onEscalation?: ((escalation: Escalation) => unknown) | undefined;
  readonly reportAdvisories: boolean;
}

/** What the stages of one contract share. */
export interface CallServices {
  readonly options: CallOptions;
  readonly sanitizer: Sanitizer;
  readonly faults: Faults;
  readonly tracker: RetryTracker;
  /** Counts a decided call in memory and in the host's telemetry. */
  record(outcome: CallOutcome): void;
  /** Everything that checking a call of this tool needs. */
  readonly planOf: (tool: ToolDefinition) => ToolPlan;
  /** Returns true the first time it sees a key. */
  readonly isFirst: (key: string) => boolean;
}

/** The name under which a call is counted and logged. */
export function countedName(tool: ToolDefinition | undefined): string {
  return tool?.name ?? UNKNOWN_TOOL;
}

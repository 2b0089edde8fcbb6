import { type RetryTracker, UNKNOWN_TOOL } from "../attempts/index.ts";
import type { Escalation, FormatOptions } from "../message/index.ts";
import type { CallOutcome, Faults } from "../observe/index.ts";
import type { Redactor, Sanitizer } from "../sanitize/index.ts";
import type { SchemaEngine } from "../schema/index.ts";
import type { ToolPlan } from "./tool-plan.ts";
import type { Formatter, Rule, ToolDefinition } from "../shared/index.ts";

/** The options needed to decide a call, with every default filled in. */
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
  /** Records a decided call in memory and in the host's telemetry. */
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

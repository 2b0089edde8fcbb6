import type { Escalation, FormatOptions } from "../message/index.ts";
import type { Redactor } from "@toolcontract/explain";
import type { OverBudget } from "@toolcontract/explain/adapter";
import type { ExecutionStage, Formatter, Rule } from "../shared/index.ts";

/** The options needed to decide a call, with every default filled in. */
export interface CallOptions {
  readonly mode: "enforce" | "observe";
  readonly maxAttempts: number;
  readonly maxFailures: number;
  readonly format: FormatOptions;
  readonly unknownFields: "schema" | "warn" | "reject";
  readonly repairJson: boolean;
  readonly closeDangling: boolean;
  readonly unwrapStrings: boolean | "scalars";
  readonly dropNulls: boolean;
  readonly overBudget: OverBudget;
  readonly rules: Readonly<Record<string, readonly Rule<never>[]>>;
  readonly formatters: Readonly<Record<string, Formatter>>;
  readonly redact: readonly Redactor[];
  readonly onBlocked: "forgive" | "refuse";
  readonly repeatedCalls?: "run" | "once" | undefined;
  readonly maxCallsPerTurn?: number | undefined;
  /** The stage around execution. */
  readonly guardrails?: ExecutionStage | undefined;
  readonly clock: () => number;
  readonly onEscalation?: ((escalation: Escalation) => unknown) | undefined;
  readonly reportAdvisories: boolean;
}

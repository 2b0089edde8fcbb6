import type { AttemptStore } from "./attempts/attempt-store.ts";
import type { AttemptScope } from "./attempts/count-attempts.ts";
import type { Escalation } from "./escalation.ts";
import type { FormatOptions } from "./message/format-options.ts";
import type { ContractLogger } from "./observe/logger.ts";
import type { TelemetryApi } from "./observe/telemetry.ts";
import type { Redactor } from "./sanitize/redactor.ts";
import type { PatternEngine } from "./schema/pattern.ts";
import type { Formatter, Rule } from "./tool-definition.ts";

/** How a contract behaves; every option has a default. */
export interface ContractOptions {
  /** How many model turns of one tool may fail before the call is blocked; 3 by default. */
  readonly maxAttempts?: number;
  /** `"run"` (default): a new `runId` starts a new count; `"thread"`: only success does. */
  readonly scope?: AttemptScope;
  /** The message's style and bounds. */
  readonly format?: Partial<FormatOptions>;
  /** Fields that a schema neither declares nor forbids: as the schema says (default), reported, or refused. */
  readonly unknownFields?: "schema" | "warn" | "reject";
  /** Repairs JSON text where the meaning is beyond doubt; on by default. */
  readonly repairJson?: boolean;
  /** Closes brackets that are open at the end, where the last token is complete; off by default. */
  readonly closeDangling?: boolean;
  /** Takes JSON text in a string for the array or object that the schema wants; off by default. */
  readonly unwrapStrings?: boolean;
  /** Requirements beyond the schema, by tool name; they come after the tool's own. */
  readonly rules?: Readonly<Record<string, readonly Rule<never>[]>>;
  /** One paragraph of guidance per rejection, by tool name; the tool's own formatter comes first. */
  readonly formatters?: Readonly<Record<string, Formatter>>;
  /** Extra redaction of every echoed value. */
  readonly redact?: readonly Redactor[];
  /** Paths below this folder are shown relative to it. */
  readonly workspaceRoot?: string;
  /** A valid call of a blocked tool runs and unblocks it (default), or is refused. */
  readonly onBlocked?: "forgive" | "refuse";
  /** Gets `(fields, message)`; the default writes JSON lines to standard error. */
  readonly logger?: ContractLogger;
  /** Watches escalations; what it throws is reported and changes nothing. */
  readonly onEscalation?: (escalation: Escalation) => unknown;
  /** Tells the model of warnings and remarks too; off by default. */
  readonly reportAdvisories?: boolean;
  /** Judges by walking schemas instead of compiling them, for runtimes that forbid code generation. */
  readonly interpreter?: boolean;
  /** Runs foreign patterns, for example in linear time; the runtime's own expressions by default. */
  readonly patternEngine?: PatternEngine;
  /** Milliseconds since some fixed moment; `Date.now` by default. */
  readonly clock?: () => number;
  /** Where attempts are kept; a bounded store in memory by default. */
  readonly store?: AttemptStore;
  /** OpenTelemetry's API module, for counters and span events. */
  readonly telemetry?: TelemetryApi;
}

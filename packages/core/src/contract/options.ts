import { type AttemptScope, type AttemptStore, STORE_WANTED, isStore } from "../attempts/index.ts";
import type { CallOptions } from "../call/index.ts";
import { DEFAULT_FORMAT, type Escalation, type FormatOptions } from "../message/index.ts";
import { type ContractLogger, type TelemetryOptions, consoleLogger } from "../observe/index.ts";
import { type Redactor, type PatternEngine, ToolContractError } from "@toolcontract/explain";
import {
  type OptionRule,
  byToolName,
  checkMembers,
  isBoolean,
  isFunction,
  isFunctionList,
  isObject,
  isString,
  oneOf,
  wholeFrom,
} from "@toolcontract/explain/adapter";
import { type ExecutionStage, type Formatter, LANES, type Rule } from "../shared/index.ts";

/** How a contract behaves; every option has a default. */
export interface ContractOptions {
  /** How many model turns with a failed call of one tool are allowed before its calls are blocked; 3 by default. */
  readonly maxAttempts?: number;
  /** `"run"` (default): a new `runId` restarts the count; `"thread"`: only success does. */
  readonly scope?: AttemptScope;
  /** The message's style and limits. */
  readonly format?: Partial<FormatOptions>;
  /**
   * Fields that a schema neither declares nor forbids: `"schema"` (default) accepts them as the schema does,
   * `"warn"` reports them, `"reject"` refuses the call.
   */
  readonly unknownFields?: "schema" | "warn" | "reject";
  /** Repairs JSON text if its meaning is beyond doubt; on by default. */
  readonly repairJson?: boolean;
  /** Closes brackets left open at the end if the last token is complete; off by default. */
  readonly closeDangling?: boolean;
  /** Parses a string that holds JSON if the schema wants an array or object there; off by default. */
  readonly unwrapStrings?: boolean;
  /** Requirements beyond the schema, by tool name; they run after the tool's own rules. */
  readonly rules?: Readonly<Record<string, readonly Rule<never>[]>>;
  /** One paragraph of guidance per rejection, by tool name; it follows that of the tool's own formatter. */
  readonly formatters?: Readonly<Record<string, Formatter>>;
  /** Extra redaction of every echoed value. */
  readonly redact?: readonly Redactor[];
  /** Paths below this folder are shown relative to it. */
  readonly workspaceRoot?: string;
  /**
   * A valid call of a tool that invalid arguments blocked runs and unblocks it (default), or is refused.
   *
   * @remarks A tool that a stage closed stays closed for the run.
   */
  readonly onBlocked?: "forgive" | "refuse";
  /**
   * How many calls one model turn may make; no limit by default. A call too many is answered with
   * `(tool failed: too many tool calls in one turn; limit is N)` and counts as no attempt.
   */
  readonly maxCallsPerTurn?: number;
  /** A stage around execution, such as `createGuardrails(…)` of @toolcontract/guardrails. */
  readonly guardrails?: ExecutionStage;
  /** Called with `(fields, message)`, or `false` for no log; the default writes JSON lines to standard error. */
  readonly logger?: ContractLogger | false;
  /** Called on each escalation; an error it throws is logged and changes nothing. */
  readonly onEscalation?: (escalation: Escalation) => unknown;
  /** Shows the model warnings and infos too; off by default. */
  readonly reportAdvisories?: boolean;
  /** Validates by walking schemas instead of compiling them, for runtimes that forbid code generation. */
  readonly interpreter?: boolean;
  /** Runs the patterns of schemas, for example in linear time; the runtime's regular expressions by default. */
  readonly patternEngine?: PatternEngine;
  /** Milliseconds since some fixed moment; `Date.now` by default. */
  readonly clock?: () => number;
  /** Where attempts are kept; a bounded store in memory by default. */
  readonly store?: AttemptStore;
  /** OpenTelemetry's API module, for spans, log records and metrics, and what to do with it. */
  readonly telemetry?: TelemetryOptions;
}

/** The options with every default filled in. */
export type ResolvedOptions = CallOptions &
  Required<Pick<ContractOptions, "scope" | "interpreter">> &
  Pick<ContractOptions, "workspaceRoot" | "store" | "telemetry" | "patternEngine"> & {
    readonly logger: ContractLogger;
  };

/** What each option of a contract must be. */
export const CONTRACT_OPTIONS: Readonly<Record<keyof ContractOptions, OptionRule>> = {
  maxAttempts: wholeFrom(1),
  scope: oneOf("run", "thread"),
  format: isObject,
  unknownFields: oneOf("schema", "warn", "reject"),
  repairJson: isBoolean,
  closeDangling: isBoolean,
  unwrapStrings: isBoolean,
  rules: byToolName("arrays of rules", isFunctionList),
  formatters: byToolName("functions", isFunction),
  redact: isFunctionList,
  workspaceRoot: isString,
  onBlocked: oneOf("forgive", "refuse"),
  maxCallsPerTurn: wholeFrom(1),
  guardrails: { wants: "a stage, such as createGuardrails({ … }) returns", fits: isStage },
  logger: {
    wants: "a function (fields, message), or false for no log",
    fits: (value) => value === false || isFunction.fits(value),
  },
  onEscalation: isFunction,
  reportAdvisories: isBoolean,
  interpreter: isBoolean,
  patternEngine: isFunction,
  clock: isFunction,
  store: { wants: STORE_WANTED, fits: isStore },
  telemetry: { ...isObject, wants: "the @opentelemetry/api module" },
};

const FORMAT_OPTIONS: Readonly<Record<keyof FormatOptions, OptionRule>> = {
  style: oneOf("standard", "compact"),
  maxLength: wholeFrom(400),
  maxErrors: wholeFrom(1),
  maxValuePreview: wholeFrom(1),
  maxTokens: wholeFrom(1),
  estimateTokens: isFunction,
};

/** The contract's own options among the members of OpenTelemetry's module. */
const TELEMETRY_OPTIONS = {
  refusals: oneOf("span", "active", "off"),
  conversationId: isBoolean,
};

/** Fills in the defaults; throws if an option is unknown or of the wrong type. */
export function resolveOptions(
  options: ContractOptions = {},
  where = "createContract",
): ResolvedOptions {
  if (!isObject.fits(options)) {
    throw new ToolContractError(
      `${where}: the options must be an object, such as { maxAttempts: 3 }.`,
    );
  }
  checkMembers(where, options, CONTRACT_OPTIONS);
  checkMembers(where, options.format ?? {}, FORMAT_OPTIONS, { prefix: "format." });
  const { refusals, conversationId } = options.telemetry ?? {};
  checkMembers(where, { refusals, conversationId }, TELEMETRY_OPTIONS, { prefix: "telemetry." });
  return {
    maxAttempts: 3,
    scope: "run",
    unknownFields: "schema",
    repairJson: true,
    closeDangling: false,
    unwrapStrings: false,
    rules: {},
    formatters: {},
    redact: [],
    onBlocked: "forgive",
    reportAdvisories: false,
    interpreter: false,
    clock: Date.now,
    ...withoutUndefined(options),
    logger: options.logger === false ? noLog : (options.logger ?? consoleLogger),
    format: { ...DEFAULT_FORMAT, ...withoutUndefined(options.format ?? {}) },
  };
}

const noLog: ContractLogger = () => undefined;

function isStage(value: unknown): boolean {
  if (!isObject.fits(value)) return false;
  const stage = value as Readonly<Record<keyof ExecutionStage, unknown>>;
  const { name, lanes, events = [], check, around, checkTools, checkCallable, attach } = stage;
  if (!isString.fits(name) || name === "" || !isObject.fits(lanes)) return false;
  const counts = Object.entries(lanes as object);
  return (
    counts.every(([lane, most]) => isStageLane(lane) && wholeFrom(1).fits(most)) &&
    [check, around, checkTools, checkCallable, attach].every(
      (one) => one === undefined || isFunction.fits(one),
    ) &&
    (check === undefined ? around !== undefined : counts.length > 0) &&
    Array.isArray(events) &&
    events.every((event) => isString.fits(event))
  );
}

function isStageLane(lane: string): boolean {
  return lane !== "validation" && LANES.some((known) => known === lane);
}

function withoutUndefined<T extends object>(
  options: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never;
}

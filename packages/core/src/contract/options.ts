import type { AttemptScope, AttemptStore } from "../attempts/index.ts";
import { DEFAULT_FORMAT, type Escalation, type FormatOptions } from "../message/index.ts";
import { type ContractLogger, type TelemetryApi, consoleLogger } from "../observe/index.ts";
import type { Redactor } from "../sanitize/index.ts";
import type { PatternEngine } from "../schema/index.ts";
import { type Formatter, type Rule, ToolContractError } from "../shared/index.ts";
import type { CallOptions } from "../call/index.ts";
import {
  type Expectation,
  checkMembers,
  isBoolean,
  isFunction,
  isObject,
  isText,
  mapOf,
  oneOf,
  wholeFrom,
} from "./expectation.ts";

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

/** The options with every default filled in. */
export type ResolvedOptions = CallOptions &
  Required<Pick<ContractOptions, "scope" | "logger" | "clock">> &
  Pick<ContractOptions, "workspaceRoot" | "store" | "telemetry">;

function listOfFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFunction.fits);
}

/** Every option of a contract, with what it must be. */
export const CONTRACT_OPTIONS: Readonly<Record<keyof ContractOptions, Expectation>> = {
  maxAttempts: wholeFrom(1),
  scope: oneOf("run", "thread"),
  format: isObject,
  unknownFields: oneOf("schema", "warn", "reject"),
  repairJson: isBoolean,
  closeDangling: isBoolean,
  unwrapStrings: isBoolean,
  rules: mapOf("lists of rules", listOfFunctions),
  formatters: mapOf("functions", isFunction.fits),
  redact: { wants: "a list of functions", fits: listOfFunctions },
  workspaceRoot: isText,
  onBlocked: oneOf("forgive", "refuse"),
  logger: { wants: "a function (fields, message)", fits: isFunction.fits },
  onEscalation: isFunction,
  reportAdvisories: isBoolean,
  interpreter: isBoolean,
  patternEngine: isFunction,
  clock: isFunction,
  store: { wants: "an AttemptStore with get, set and delete", fits: isStore },
  telemetry: { wants: "the @opentelemetry/api module", fits: isObject.fits },
};

const FORMAT: Readonly<Record<keyof FormatOptions, Expectation>> = {
  style: oneOf("standard", "compact"),
  maxLength: wholeFrom(400),
  maxErrors: wholeFrom(1),
  maxValuePreview: wholeFrom(1),
  maxTokens: wholeFrom(1),
  estimateTokens: isFunction,
};

function isStore(value: unknown): boolean {
  if (!isObject.fits(value)) return false;
  const store = value as Readonly<Record<string, unknown>>;
  return ["get", "set", "delete"].every((name) => typeof store[name] === "function");
}

/** Fills in the defaults; throws where an option is unknown or of the wrong kind. */
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
  checkMembers(where, options.format ?? {}, FORMAT, "format.");
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
    logger: consoleLogger,
    reportAdvisories: false,
    interpreter: false,
    clock: Date.now,
    ...withoutUndefined(options),
    format: { ...DEFAULT_FORMAT, ...withoutUndefined(options.format ?? {}) },
  };
}

function withoutUndefined<T extends object>(
  options: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never;
}

import { type AttemptScope, type AttemptStore, STORE_WANTED, isStore } from "../attempts/index.ts";
import { FORMAT_OPTIONS, type Escalation, type FormatOptions } from "../message/index.ts";
import type { ContractLogger, TelemetryOptions } from "../observe/index.ts";
import type { PatternEngine, Redactor } from "@toolcontract/explain";
// Light: a command line that reads this table loads no validator.
import {
  type OptionTable,
  byToolName,
  isBoolean,
  isBooleanOr,
  isFunction,
  isFunctionList,
  isObject,
  isString,
  oneOf,
  wholeFrom,
} from "@toolcontract/explain/options";
import { type ExecutionStage, type Formatter, LANES, type Rule } from "../shared/index.ts";

/**
 * How a contract behaves; every option has a default.
 *
 * @example
 * ```ts
 * const options: ContractOptions = { maxAttempts: 3, format: { style: "compact" }, unknownFields: "reject" };
 * ```
 * @see packages/core/README.md
 */
export interface ContractOptions {
  /**
   * `"observe"` counts, logs and reports every call that the contract would refuse, and refuses none: each runs as it would without the
   * contract, also one that a person would be asked about, or that a limit would stop.
   *
   * @default "enforce"
   */
  readonly mode?: "enforce" | "observe";
  /**
   * How many model turns with a failed call of one tool are allowed before its calls are blocked.
   *
   * @default 3
   */
  readonly maxAttempts?: number;
  /**
   * How many times in a row a tool may fail at run time with one class of error (its HTTP status, code or type) before it is closed for
   * the run, with an escalation; three if its arguments are equal too. 0: never. A stage that counts outcomes takes over.
   *
   * @remarks What a tool throws counts, and a result that says it is an error and has an HTTP status. Any other result, also one of
   * another class, begins anew. Model turns are counted, as attempts are.
   * @default 10
   */
  readonly maxFailures?: number;
  /**
   * `"run"`: a new `runId` restarts the count; `"thread"`: only success does.
   *
   * @default "run"
   */
  readonly scope?: AttemptScope;
  /** The message's style and limits. */
  readonly format?: Partial<FormatOptions>;
  /**
   * Fields that a schema neither declares nor forbids: `"schema"` accepts them as the schema does,
   * `"warn"` reports them, `"reject"` refuses the call.
   *
   * @default "schema"
   */
  readonly unknownFields?: "schema" | "warn" | "reject";
  /**
   * Repairs JSON text if its meaning is beyond doubt.
   *
   * @default true
   */
  readonly repairJson?: boolean;
  /**
   * Closes brackets left open at the end if the last token is complete.
   *
   * @default false
   */
  readonly closeDangling?: boolean;
  /**
   * Reads what clients make of arguments: JSON in a string where the schema takes an array or object and no string, if it
   * is valid there, and null, an empty list or an empty string for all arguments where `{}` is valid. Each is reported as a repair and
   * as an advisory. `"scalars"` also reads `"5"` and `"false"` where the schema takes no string, for clients that quote
   * every argument.
   *
   * @default true
   */
  readonly unwrapStrings?: boolean | "scalars";
  /**
   * Leaves out null at fields that may be left out and do not take null.
   *
   * @default false
   */
  readonly dropNulls?: boolean;
  /**
   * Arguments that would cost more to check than the budget: `"refuse"` answers them as invalid (VAL-016), `"accept"` runs
   * the call unchecked and reports that. A tool's own validator decides in any case.
   *
   * @default "refuse"
   */
  readonly overBudget?: "refuse" | "accept";
  /** Requirements beyond the schema, by tool name; they run after the tool's own rules. */
  readonly rules?: Readonly<Record<string, readonly Rule<never>[]>>;
  /** One paragraph of guidance per rejection, by tool name; it follows that of the tool's own formatter. */
  readonly formatters?: Readonly<Record<string, Formatter>>;
  /** Extra redaction of every echoed value. */
  readonly redact?: readonly Redactor[];
  /** Paths below this folder are shown relative to it. */
  readonly workspaceRoot?: string;
  /**
   * A valid call of a tool that invalid arguments blocked runs and unblocks it, or is refused.
   *
   * @remarks A tool that a stage closed stays closed for the run.
   * @default "forgive"
   */
  readonly onBlocked?: "forgive" | "refuse";
  /**
   * How many calls one model turn may make. A call too many is answered with
   * `(tool failed: too many tool calls in one turn; limit is N)` and counts as no attempt.
   *
   * @default no limit
   */
  readonly maxCallsPerTurn?: number;
  /**
   * Calls of one message that are equal, in tool and arguments: `"once"` runs the first and answers all of them with what came of it,
   * `"run"` runs each.
   *
   * @remarks A message is what one `turnId` names, or one list of calls; a host that sees no messages runs each call.
   * @default "once" for a tool whose declared effect is irreversible or that spends, and "run" for all others
   */
  readonly repeatedCalls?: "run" | "once";
  /** A stage around execution, such as `createGuardrails(…)` of @toolcontract/guardrails. */
  readonly guardrails?: ExecutionStage;
  /**
   * Called with `(fields, message)`, or `false` for no log.
   *
   * @default JSON lines on standard error
   */
  readonly logger?: ContractLogger | false;
  /** Called on each escalation; an error it throws is logged and changes nothing. */
  readonly onEscalation?: (escalation: Escalation) => unknown;
  /**
   * Shows the model warnings and infos too.
   *
   * @default false
   */
  readonly reportAdvisories?: boolean;
  /**
   * Validates by walking schemas instead of compiling them, for runtimes that forbid code generation.
   *
   * @default false
   */
  readonly interpreter?: boolean;
  /**
   * Runs the patterns of schemas, for example in linear time.
   *
   * @default the runtime's regular expressions
   */
  readonly patternEngine?: PatternEngine;
  /**
   * Milliseconds since some fixed moment.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
  /**
   * Where attempts are kept.
   *
   * @default a bounded store in memory
   */
  readonly store?: AttemptStore;
  /** OpenTelemetry's API module, for spans, log records and metrics, and what to do with it. */
  readonly telemetry?: TelemetryOptions;
}

const objects = "objects with functions";

/** What each option is. A new one is a member of {@link ContractOptions} and a row here; everything else reads the rows. */
export const CONTRACT_OPTIONS: OptionTable<keyof ContractOptions> = /* @__PURE__ */ (() => ({
  mode: {
    ...oneOf("enforce", "observe"),
    fallback: "enforce",
    key: "mode",
    about: "Invalid calls are refused (enforce), or only counted and logged (observe).",
  },
  maxAttempts: {
    ...wholeFrom(1),
    fallback: 3,
    key: "retry.max_attempts",
    about: "How many model turns of one tool may fail before the call is blocked.",
  },
  maxFailures: {
    ...wholeFrom(0),
    fallback: 10,
    key: "retry.max_failures",
    about:
      "How many times in a row a tool may fail at run time in one way before it is closed; three with equal arguments; 0: never.",
  },
  scope: {
    ...oneOf("run", "thread"),
    fallback: "run",
    key: "retry.scope",
    about: "run: a new run starts a new count; thread: only success does.",
  },
  format: { ...isObject, members: FORMAT_OPTIONS },
  unknownFields: {
    ...oneOf("schema", "warn", "reject"),
    fallback: "schema",
    key: "unknown_fields",
    about: "Fields that a tool neither declares nor forbids: as its schema says, warn or reject.",
  },
  repairJson: {
    ...isBoolean,
    fallback: true,
    key: "repair_json",
    about: "Repairs JSON text if its meaning is beyond doubt.",
  },
  closeDangling: {
    ...isBoolean,
    fallback: false,
    key: "close_dangling",
    about: "Closes brackets left open at the end, if the last token is complete.",
  },
  unwrapStrings: {
    ...isBooleanOr("scalars"),
    fallback: true,
    key: "unwrap_strings",
    about:
      "Reads JSON in a string where only an array or object is accepted, and null as no arguments, if the result is valid; scalars: quoted numbers and booleans too.",
  },
  dropNulls: {
    ...isBoolean,
    fallback: false,
    key: "drop_nulls",
    about: "Leaves out null at fields that may be left out and do not take null.",
  },
  overBudget: {
    ...oneOf("refuse", "accept"),
    fallback: "refuse",
    key: "over_budget",
    about: "Arguments that would cost too much to check are refused, or run unchecked (accept).",
  },
  rules: { ...byToolName("arrays of rules", isFunctionList), fallback: {} },
  formatters: { ...byToolName("functions", isFunction), fallback: {} },
  redact: { ...isFunctionList, fallback: [] },
  maxCallsPerTurn: {
    ...wholeFrom(1),
    key: "max_calls_per_turn",
    example: 20,
    about: "How many calls one model turn may make; no limit by default.",
  },
  repeatedCalls: {
    ...oneOf("run", "once"),
    key: "repeated_calls",
    example: "once",
    about:
      "Equal calls of one message each run, or run once and share the answer; once by default for tools that are irreversible or spend.",
  },
  workspaceRoot: {
    ...isString,
    key: "workspace_root",
    example: ".",
    about:
      "Paths below this folder are shown relative to it; it is itself relative to the folder that holds .agent.",
  },
  onBlocked: {
    ...oneOf("forgive", "refuse"),
    fallback: "forgive",
    key: "retry.on_blocked",
    about: "A valid call of a blocked tool runs and unblocks it (forgive), or is refused.",
  },
  guardrails: {
    wants: "a stage, such as createGuardrails({ … }) returns",
    fits: isStageObject,
    codeOnly: objects,
  },
  logger: {
    ...isFunction,
    wants: "a function (fields, message), or false for no log",
    fits: (value) => value === false || isFunction.fits(value),
  },
  onEscalation: isFunction,
  reportAdvisories: {
    ...isBoolean,
    fallback: false,
    key: "formatting.report_advisories",
    about: "Shows the model warnings and remarks too.",
  },
  interpreter: {
    ...isBoolean,
    fallback: false,
    key: "interpreter",
    about: "Validates without compiling schemas, for runtimes that forbid code generation.",
  },
  patternEngine: isFunction,
  clock: isFunction,
  store: { wants: STORE_WANTED, fits: isStore, codeOnly: objects },
  telemetry: { ...isObject, wants: "the @opentelemetry/api module", codeOnly: objects },
}))();

/** The name of every option in code; those of `format` one by one. */
export type OptionName = Exclude<keyof ContractOptions, "format"> | `format.${keyof FormatOptions}`;

/** All rows, those of `format` one by one. */
export const OPTIONS = /* @__PURE__ */ (() =>
  Object.fromEntries(
    Object.entries(CONTRACT_OPTIONS).flatMap(([name, option]) =>
      name === "format"
        ? Object.entries(FORMAT_OPTIONS).map(([inner, row]) => [`format.${inner}`, row] as const)
        : [[name, option] as const],
    ),
  ))() as OptionTable<OptionName>;

function isStageObject(value: unknown): boolean {
  if (!isObject.fits(value)) return false;
  const stage = value as Readonly<Record<keyof ExecutionStage, unknown>>;
  const {
    name,
    lanes,
    events = [],
    check,
    around,
    checkTools,
    checkCallable,
    judges,
    effectOf,
    attach,
  } = stage;
  if (!isString.fits(name) || name === "" || !isObject.fits(lanes)) return false;
  const counts = Object.entries(lanes as object);
  return (
    counts.every(([lane, most]) => isStageLane(lane) && wholeFrom(1).fits(most)) &&
    [check, around, checkTools, checkCallable, judges, effectOf, attach].every(
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

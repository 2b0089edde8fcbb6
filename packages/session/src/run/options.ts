import { ToolContractError } from "@toolcontract/core";
import {
  type DataRule,
  type OptionRule,
  type OptionRules,
  type OptionTable,
  defaultsOf,
  isFunction,
  isObject,
  isRecord,
  oneOf,
  sleep,
  wholeFrom,
} from "@toolcontract/core/adapter";
import { estimateTokens } from "../context/index.ts";
import type { Queues, SessionLimits } from "../shared/index.ts";
import { checkQueues, createQueues } from "../tools/index.ts";
import { milliseconds, requestTimes } from "./request-times.ts";
import { transports } from "./transports.ts";

/** The options of a session, with every default filled in. */
export interface RunLimits extends Required<
  Pick<
    SessionLimits,
    | "maxTurns"
    | "maxRetries"
    | "truncateExempt"
    | "repeatableTools"
    | "queueOf"
    | "expectedOutputFormat"
    | "plainText"
    | "reportAs"
    | "unverified"
    | "transport"
    | "rateLimitWait"
    | "maxRateLimitWait"
    | "estimateTokens"
    | "onEvent"
    | "clock"
    | "sleep"
  >
> {
  readonly maxToolCallsPerTurn: number;
  readonly toolTimeout: (tool: string) => number | undefined;
  readonly toolResponseMaxBytes: (tool: string) => number | undefined;
  /** What is kept of a result that is truncated. */
  readonly keep: "head" | "head-and-tail";
  readonly queues: Queues;
  readonly given: SessionLimits;
}

const bytes = wholeFrom(1);

const dollars: DataRule = {
  wants: "a number of US dollars above 0",
  fits: (value) => typeof value === "number" && value > 0 && Number.isFinite(value),
  schema: { type: "number", exclusiveMinimum: 0 },
};

function orFunction({ wants, fits, schema }: DataRule, gives: string): DataRule {
  return {
    wants: `${wants}, or a function (tool) => ${gives}`,
    fits: (value) => isFunction.fits(value) || fits(value),
    schema,
  };
}

const toolNamesRule: DataRule = {
  wants: "an array of tool names",
  fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  schema: { type: "array", items: { type: "string", minLength: 1 } },
};

const kept = oneOf("head", "head-and-tail");

const namesByName: OptionRule = {
  wants: 'an object of queue names by tool, such as { open_page: "browser" }',
  fits: (value) =>
    isObject.fits(value) &&
    Object.values(value as object).every((name) => typeof name === "string"),
};

/** What each option of a session is: a row with a key can be set in the configuration of an agent, below `session`. */
export const SESSION_OPTIONS: OptionTable<keyof SessionLimits> = {
  maxTurns: {
    ...wholeFrom(1),
    fallback: 20,
    key: "max_turns",
    about: "How many model calls a run makes, retries not counted.",
  },
  maxRetries: {
    ...wholeFrom(1),
    fallback: 3,
    key: "max_retries",
    about: "How many attempts a turn has in total.",
  },
  maxTokens: {
    ...wholeFrom(1),
    key: "max_tokens",
    about: "How many tokens a run takes; the last turn comes while there is room for it.",
  },
  maxCost: {
    ...dollars,
    key: "max_cost",
    about: "How many US dollars a run takes; the last turn comes while there is room for it.",
  },
  requestTimeout: {
    ...requestTimes,
    key: "request_timeout",
    about:
      "Milliseconds of a request to a model: first_token and silence (300000; 60000 while another target is left), total (600000).",
  },
  repeatableTools: {
    ...toolNamesRule,
    key: "repeatable_tools",
    about: "Tools that may be called again and again with the same result, such as poll.",
  },
  maxToolCallsPerTurn: {
    ...wholeFrom(1),
    key: "max_tool_calls_per_turn",
    about: "How many tool calls of one turn run; no limit by default.",
  },
  toolTimeout: {
    ...orFunction(milliseconds, "milliseconds"),
    key: "tool_timeout",
    about: "Milliseconds until a tool's call times out, without its time in a queue.",
  },
  toolResponseMaxBytes: {
    ...orFunction(bytes, "bytes"),
    key: "tool_response_max_bytes",
    about: "UTF-8 bytes of a result that the model reads; longer ones are truncated.",
  },
  toolResponse: {
    wants: 'an object such as { keep: "head-and-tail" }, or { keep: "head" }',
    fits: (value) =>
      isRecord(value) &&
      Object.entries(value).every(
        ([name, one]) => name === "keep" && (one === undefined || kept.fits(one)),
      ),
    schema: { type: "object", properties: { keep: kept.schema }, additionalProperties: false },
    key: "tool_response",
    about: "What is kept of a result that is truncated: keep is head-and-tail, or head.",
  },
  truncateExempt: {
    ...toolNamesRule,
    key: "truncate_exempt",
    about: "Tools whose results are never truncated.",
  },
  queues: {
    ...isObject,
    wants: "an object such as { browser: { concurrent: 2 } }, or what createQueues returned",
  },
  queueOf: namesByName,
  expectedOutputFormat: {
    ...oneOf("markdown", "text", "json", "slack-block-kit", "sub-agent"),
    fallback: "markdown",
    key: "expected_output_format",
    about: "The format of the final report.",
  },
  outputSchema: {
    ...isObject,
    wants: "a JSON Schema object",
    schema: { type: "object", additionalProperties: {} },
    key: "output_schema",
    about: "The JSON Schema of the report, for the format json.",
  },
  plainText: {
    ...oneOf("accept", "retry", "nudge"),
    fallback: "accept",
    key: "plain_text",
    about:
      "Text without calls is the report (accept), or is answered with a notice, always (retry) or once (nudge).",
  },
  reportAs: {
    ...oneOf("call", "text"),
    fallback: "call",
    key: "report_as",
    about: "Whether the report is a call of the report tool, or the model's text.",
  },
  unverified: {
    ...oneOf("ask", "mark", "ignore"),
    fallback: "ask",
    key: "unverified",
    about:
      "A report that is silent about an effect that failed: the model is asked once (ask), the run fails (mark), or nothing (ignore).",
  },
  transport: {
    ...transports,
    fallback: "native",
    key: "transport",
    about: "How calls and the report reach the model and back.",
  },
  rateLimitWait: {
    ...oneOf("always", "same-target"),
    fallback: "same-target",
    key: "rate_limit_wait",
    about: "Whether a rate limit delays the next attempt on another target too (always).",
  },
  maxRateLimitWait: {
    ...milliseconds,
    fallback: 60_000,
    key: "max_rate_limit_wait",
    about: "Milliseconds: a target that asks for a longer wait is not asked again in the run.",
  },
  estimateTokens: isFunction,
  classifyError: isFunction,
  price: isFunction,
  serverOf: isFunction,
  trace: isObject,
  onEvent: isFunction,
  clock: isFunction,
  sleep: isFunction,
};

const isTargets: OptionRule = {
  wants: "an array that names at least one model, such as [{ model }]",
  fits: Array.isArray,
};

/**
 * Options that go to two places.
 *
 * @example
 * ```ts
 * const limits = ({ own }: SplitOptions) => own.maxTurns ?? 20;
 * ```
 * @see docs/session.md
 */
export interface SplitOptions {
  /** The limits of the session. */
  readonly own: SessionLimits;
  /** Everything else, with what a contract shares with the session. */
  readonly others: object;
  /** What the options of a session must be, so that an error about another name can suggest one of them. */
  readonly known: OptionRules;
}

/** The limits among an adapter's options, and the others. */
export function splitLimits(options: object): SplitOptions {
  const isOwn = ([name]: readonly [string, unknown]): boolean =>
    Object.hasOwn(SESSION_OPTIONS, name);
  const all = Object.entries(options);
  const own: SessionLimits = Object.fromEntries(all.filter(isOwn));
  const others: Record<string, unknown> = Object.fromEntries(all.filter((entry) => !isOwn(entry)));
  const { clock: _, ...known } = SESSION_OPTIONS;
  return {
    own,
    others: others["contract"] === undefined ? withShared(others, own) : others,
    known: { ...known, targets: isTargets },
  };
}

/** The options of a contract that the session makes: it has the session's clock, and its estimator for messages. */
function withShared(
  others: Readonly<Record<string, unknown>>,
  { clock, estimateTokens: estimate }: SessionLimits,
): object {
  const { format } = others;
  const isReplaceable = format === undefined || isObject.fits(format);
  return {
    ...others,
    ...(clock && { clock }),
    ...(estimate &&
      isReplaceable && { format: { estimateTokens: estimate, ...(format as object) } }),
  };
}

/** The options whose rows have a default. */
type DefaultLimits = Pick<
  RunLimits,
  | "maxTurns"
  | "maxRetries"
  | "expectedOutputFormat"
  | "plainText"
  | "reportAs"
  | "unverified"
  | "transport"
  | "rateLimitWait"
  | "maxRateLimitWait"
>;

/** Fills in the defaults; throws if an option does not fit. */
export function resolveLimits(where: string, given: SessionLimits): RunLimits {
  for (const [name, { wants, fits }] of Object.entries(SESSION_OPTIONS)) {
    const value = given[name as keyof SessionLimits];
    if (value === undefined || fits(value)) continue;
    throw new ToolContractError(`${where}: option '${name}' must be ${wants}.`);
  }
  if (given.outputSchema !== undefined && given.expectedOutputFormat !== "json") {
    throw new ToolContractError(
      `${where}: option 'outputSchema' needs expectedOutputFormat: "json"; no other format has a schema.`,
    );
  }
  const defaults = defaultsOf(SESSION_OPTIONS) as DefaultLimits;
  const queues = createQueues(given.queues);
  const queueOf = given.queueOf ?? {};
  const transport = given.transport ?? defaults.transport;
  checkQueues(queues, queueOf, where);
  return {
    maxTurns: given.maxTurns ?? defaults.maxTurns,
    maxToolCallsPerTurn: given.maxToolCallsPerTurn ?? Number.POSITIVE_INFINITY,
    maxRetries: given.maxRetries ?? defaults.maxRetries,
    toolTimeout: limitByTool(`${where}: toolTimeout`, given.toolTimeout, milliseconds),
    toolResponseMaxBytes: limitByTool(
      `${where}: toolResponseMaxBytes`,
      given.toolResponseMaxBytes,
      bytes,
    ),
    keep: given.toolResponse?.keep ?? "head-and-tail",
    truncateExempt: given.truncateExempt ?? [],
    repeatableTools: given.repeatableTools ?? [],
    queues,
    queueOf,
    expectedOutputFormat: given.expectedOutputFormat ?? defaults.expectedOutputFormat,
    // Text beside tags is commentary (section 11).
    plainText: transport === "native" ? (given.plainText ?? defaults.plainText) : "retry",
    reportAs: reportAsOf(where, given),
    unverified: given.unverified ?? defaults.unverified,
    transport,
    rateLimitWait: given.rateLimitWait ?? defaults.rateLimitWait,
    maxRateLimitWait: given.maxRateLimitWait ?? defaults.maxRateLimitWait,
    estimateTokens: checkedEstimate(given.estimateTokens),
    onEvent: silenced(given.onEvent),
    clock: safeClock(given.clock),
    sleep: given.sleep ?? sleep,
    given,
  };
}

/** Text is the report in two formats, and in a transport without tags. */
function reportAsOf(where: string, given: SessionLimits): RunLimits["reportAs"] {
  const { reportAs = "call", expectedOutputFormat: format = "markdown", transport } = given;
  const isText = format === "markdown" || format === "text";
  if (reportAs === "call" || (isText && (transport ?? "native") === "native")) return reportAs;
  throw new ToolContractError(
    `${where}: option 'reportAs' can be "text" for the formats markdown and text, and without an XML transport.`,
  );
}

/** A limit that a function returns is checked on use: an invalid value must not mean "no limit". */
function limitByTool(
  name: string,
  given: SessionLimits["toolTimeout"],
  { wants, fits }: OptionRule,
): (tool: string) => number | undefined {
  if (typeof given !== "function") return () => given;
  return (tool) => {
    let limit: number | undefined;
    const call = `${name}('${tool.slice(0, 64)}')`;
    try {
      limit = given(tool);
    } catch (thrown) {
      throw new ToolContractError(`${call} threw.`, { cause: thrown });
    }
    if (limit === undefined || fits(limit)) return limit;
    throw new ToolContractError(
      `${call} returned ${String(limit)}, which is no ${wants.replace(/^a /u, "")}.`,
    );
  };
}

/** A clock that fails must not lose a run. */
function safeClock(given: SessionLimits["clock"]): RunLimits["clock"] {
  if (!given) return Date.now;
  return () => {
    try {
      const now = given();
      if (Number.isFinite(now)) return now;
    } catch {
      // The time of the process.
    }
    return Date.now();
  };
}

/** An estimator that fails, or returns no number, must not lose an answer. */
function checkedEstimate(given: SessionLimits["estimateTokens"]): RunLimits["estimateTokens"] {
  if (!given) return estimateTokens;
  return (text) => {
    try {
      const tokens = given(text);
      if (tokens >= 0 && Number.isFinite(tokens)) return tokens;
    } catch {
      // Estimated below.
    }
    return estimateTokens(text);
  };
}

function silenced(onEvent: SessionLimits["onEvent"]): RunLimits["onEvent"] {
  if (!onEvent) return () => undefined;
  return (event) => {
    try {
      const heard: unknown = onEvent(event);
      if (heard instanceof Promise) heard.catch(() => undefined);
    } catch {
      // An observer must not change a run.
    }
  };
}

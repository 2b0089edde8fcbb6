import { ToolContractError } from "@toolcontract/core";
import {
  type OptionRule,
  type OptionRules,
  defaultsOf,
  isObject,
  sleep,
} from "@toolcontract/core/adapter";
import { estimateTokens } from "../context/index.ts";
import type { Queues, SessionLimits } from "../shared/index.ts";
import { checkQueues, createQueues } from "../tools/index.ts";
import { milliseconds } from "./request-times.ts";
import { SESSION_OPTIONS, bytes } from "./session-options.ts";

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
    throw new ToolContractError(`${call} returned ${String(limit)}, which is not ${wants}.`);
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

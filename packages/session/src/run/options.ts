import { ToolContractError } from "@toolcontract/core";
import {
  LONGEST_TIMER_MS,
  type OptionRule,
  type OptionRules,
  isFunction,
  isObject,
  oneOf,
  sleep,
  wholeFrom,
} from "@toolcontract/core/adapter";
import { estimateTokens } from "../context/index.ts";
import { type Queues, type SessionLimits } from "../shared/index.ts";
import { checkQueues, createQueues } from "../tools/index.ts";

/** The options of a session, with every default filled in. */
export interface Limits extends Required<
  Pick<
    SessionLimits,
    | "maxTurns"
    | "maxRetries"
    | "truncateExempt"
    | "queueOf"
    | "expectedOutputFormat"
    | "plainText"
    | "transport"
    | "rateLimitWait"
    | "estimateTokens"
    | "onEvent"
    | "clock"
    | "sleep"
  >
> {
  readonly maxToolCallsPerTurn: number;
  readonly toolTimeout: (tool: string) => number | undefined;
  readonly toolResponseMaxBytes: (tool: string) => number | undefined;
  readonly queues: Queues;
  readonly given: SessionLimits;
}

const milliseconds: OptionRule = {
  wants: `a number of milliseconds from 1 to ${LONGEST_TIMER_MS}`,
  fits: (value) => typeof value === "number" && value >= 1 && value <= LONGEST_TIMER_MS,
};
const bytes = wholeFrom(1);

function orFunction({ wants, fits }: OptionRule, gives: string): OptionRule {
  return {
    wants: `${wants}, or a function (tool) => ${gives}`,
    fits: (value) => isFunction.fits(value) || fits(value),
  };
}

const names: OptionRule = {
  wants: "an array of tool names",
  fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};

const namesByName: OptionRule = {
  wants: 'an object of queue names by tool, such as { open_page: "browser" }',
  fits: (value) =>
    isObject.fits(value) &&
    Object.values(value as object).every((name) => typeof name === "string"),
};

/** What each option of a session must be. */
const SESSION_OPTIONS: Readonly<Record<keyof SessionLimits, OptionRule>> = {
  maxTurns: wholeFrom(1),
  maxToolCallsPerTurn: wholeFrom(1),
  maxRetries: wholeFrom(1),
  toolTimeout: orFunction(milliseconds, "milliseconds"),
  toolResponseMaxBytes: orFunction(bytes, "bytes"),
  truncateExempt: names,
  queues: {
    ...isObject,
    wants: "an object such as { browser: { concurrent: 2 } }, or what createQueues returned",
  },
  queueOf: namesByName,
  expectedOutputFormat: oneOf("markdown", "text", "json", "slack-block-kit", "sub-agent"),
  outputSchema: { ...isObject, wants: "a JSON Schema object" },
  plainText: oneOf("accept", "retry"),
  transport: oneOf("native", "xml-final", "xml"),
  rateLimitWait: oneOf("always", "same-target"),
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

/** Options that go to two places. */
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

/** Fills in the defaults; throws if an option does not fit. */
export function resolveLimits(where: string, given: SessionLimits): Limits {
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
  const queues = createQueues(given.queues);
  const queueOf = given.queueOf ?? {};
  checkQueues(queues, queueOf, where);
  return {
    maxTurns: given.maxTurns ?? 20,
    maxToolCallsPerTurn: given.maxToolCallsPerTurn ?? Number.POSITIVE_INFINITY,
    maxRetries: given.maxRetries ?? 3,
    toolTimeout: limitByTool(`${where}: toolTimeout`, given.toolTimeout, milliseconds),
    toolResponseMaxBytes: limitByTool(
      `${where}: toolResponseMaxBytes`,
      given.toolResponseMaxBytes,
      bytes,
    ),
    truncateExempt: given.truncateExempt ?? [],
    queues,
    queueOf,
    expectedOutputFormat: given.expectedOutputFormat ?? "markdown",
    // Text beside tags is commentary (section 11).
    plainText: (given.transport ?? "native") === "native" ? (given.plainText ?? "accept") : "retry",
    transport: given.transport ?? "native",
    rateLimitWait: given.rateLimitWait ?? "always",
    estimateTokens: checkedEstimate(given.estimateTokens),
    onEvent: silenced(given.onEvent),
    clock: given.clock ?? Date.now,
    sleep: given.sleep ?? sleep,
    given,
  };
}

/** A limit that a function gives is checked when it is used; nonsense must not be no limit. */
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

/** An estimator that fails, or estimates nonsense, must not lose an answer. */
function checkedEstimate(given: SessionLimits["estimateTokens"]): Limits["estimateTokens"] {
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

function silenced(onEvent: SessionLimits["onEvent"]): Limits["onEvent"] {
  if (!onEvent) return () => undefined;
  return (event) => {
    try {
      onEvent(event);
    } catch {
      // An observer must not change a run.
    }
  };
}

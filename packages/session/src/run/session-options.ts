import {
  type DataRule,
  type OptionRule,
  type OptionTable,
  isFunction,
  isObject,
  isRecord,
  oneOf,
  wholeFrom,
} from "@toolcontract/core/adapter";
import type { SessionLimits } from "../shared/index.ts";
import { milliseconds, requestTimes } from "./request-times.ts";
import { transports } from "./transports.ts";

/** A size of results. */
export const bytes: DataRule = wholeFrom(1);

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

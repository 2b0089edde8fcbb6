import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import Anthropic from "@anthropic-ai/sdk";
import { ContextOverflowError, ModelAbortError } from "@langchain/core/errors";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { ErrorKind } from "../shared/index.ts";
import { classifyError } from "./classify-error.ts";
import { messageOf } from "./message-of.ts";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");

const QUOTA_MESSAGE =
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.";

const TPM_MESSAGE =
  "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 1317. Please try again in 634ms. Visit https://platform.openai.com/account/rate-limits to learn more.";

type Json = Readonly<Record<string, unknown>>;

/** As `postToApi` of the AI SDK's providers creates it. */
function aiSdk(
  statusCode: number | undefined,
  body: string | Json,
  headers: Readonly<Record<string, string>> = {},
): APICallError {
  const isObject = typeof body === "object";
  const inner = isObject ? (body as { readonly error?: { readonly message?: string } }) : {};
  return new APICallError({
    message: inner.error?.message ?? (typeof body === "string" ? body : "Bad Request"),
    url: "https://api.example.com/v1/chat",
    // The words of a prompt are not those of the provider.
    requestBodyValues: { prompt: "our billing details: invalid api key, rate limit" },
    ...(statusCode !== undefined && { statusCode }),
    responseHeaders: headers,
    responseBody: typeof body === "string" ? body : JSON.stringify(body),
    ...(isObject && { data: body }),
  });
}

function openAi(
  status: number,
  error: Json,
  headers: Readonly<Record<string, string>> = {},
): Error {
  return OpenAI.APIError.generate(status, { error }, undefined, new Headers(headers));
}

function anthropic(
  status: number,
  error: Json,
  headers: Readonly<Record<string, string>> = {},
): Error {
  const body = { type: "error", error };
  return Anthropic.APIError.generate(status, body, undefined, new Headers(headers));
}

/** As LangChain's wrappers of model clients rethrow it. */
function langChain(error: Error, code: string, fields: Json = {}): Error {
  const message = `${error.message}\n\nTroubleshooting URL: https://docs.langchain.com/oss/javascript/langchain/errors/${code}/\n`;
  return Object.assign(error, { lc_error_code: code, message, ...fields });
}

function openAiGoneWrong(message: string): Error {
  return new OpenAI.APIConnectionError({ message, cause: new TypeError("fetch failed") });
}

const OPENAI_QUOTA = {
  message: QUOTA_MESSAGE,
  type: "insufficient_quota",
  code: "insufficient_quota",
};
const OPENAI_TPM = { message: TPM_MESSAGE, type: "tokens", code: "rate_limit_exceeded" };
const ANTHROPIC_CREDIT = {
  type: "invalid_request_error",
  message:
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
};
const GOOGLE_RATE = {
  error: {
    code: 429,
    message:
      "You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.",
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }],
  },
};
const GROQ_TPD = {
  message:
    "Rate limit reached for model `llama` on tokens per day (TPD): Limit 100000, Used 99336, Requested 1220. Please try again in 8m0.384s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing",
  type: "tokens",
  code: "rate_limit_exceeded",
};

const rows: readonly (readonly [name: string, error: unknown, kind: ErrorKind, waits?: number])[] =
  [
    // authentication: fatal
    ["AI SDK, 401", aiSdk(401, { error: { message: "Incorrect API key provided" } }), "auth"],
    ["AI SDK, 403", aiSdk(403, "Forbidden"), "auth"],
    ["AI SDK, no key", new LoadAPIKeyError({ message: "OpenAI API key is missing." }), "auth"],
    [
      "OpenAI, 401",
      openAi(401, { message: "Incorrect API key provided", code: "invalid_api_key" }),
      "auth",
    ],
    [
      "Anthropic, 401",
      anthropic(401, { type: "authentication_error", message: "invalid x-api-key" }),
      "auth",
    ],
    ["Anthropic, 403", anthropic(403, { type: "permission_error", message: "no" }), "auth"],
    ["LangChain, 401", langChain(openAi(401, { message: "no" }), "MODEL_AUTHENTICATION"), "auth"],
    [
      "Google, a 400 for the key",
      aiSdk(400, {
        error: {
          code: 400,
          message: "API key not valid. Please pass a valid API key.",
          status: "INVALID_ARGUMENT",
        },
      }),
      "auth",
    ],
    ["AWS, an expired token", { name: "ExpiredTokenException", $metadata: {} }, "auth"],
    ["AWS, a status", { name: "Oops", $metadata: { httpStatusCode: 403 } }, "auth"],
    [
      "an error event of a stream",
      { type: "error", error: { type: "authentication_error", message: "no" } },
      "auth",
    ],
    ["a string", "401 Unauthorized", "auth"],
    ["a message with a status", new Error("Request failed with status code 401"), "auth"],
    // quota: fatal, also as a 429
    ["AI SDK, 402", aiSdk(402, "Payment Required"), "quota"],
    [
      "AI SDK, quota as a 429",
      aiSdk(429, { error: OPENAI_QUOTA }, { "retry-after": "20" }),
      "quota",
      20_000,
    ],
    ["OpenAI, quota as a 429", openAi(429, OPENAI_QUOTA), "quota"],
    ["OpenAI, quota by its words alone", openAi(429, { message: QUOTA_MESSAGE }), "quota"],
    [
      "OpenAI, billing limit as a 400",
      openAi(400, {
        message: "Billing hard limit has been reached",
        code: "billing_hard_limit_reached",
      }),
      "quota",
    ],
    [
      "LangChain, quota as a 429",
      langChain(openAi(429, OPENAI_QUOTA), "MODEL_RATE_LIMIT", {
        rateLimitType: "stop",
        rateLimitReason: "insufficient_quota",
      }),
      "quota",
    ],
    ["Anthropic, credit as a 400", anthropic(400, ANTHROPIC_CREDIT), "quota"],
    [
      "Anthropic, usage limit as a 400",
      anthropic(400, {
        type: "invalid_request_error",
        message:
          "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
      }),
      "quota",
    ],
    ["Anthropic, 402", anthropic(402, { type: "billing_error", message: "no" }), "quota"],
    [
      "a 429 that speaks of billing",
      aiSdk(429, { error: { message: "Your account has a billing issue" } }),
      "quota",
    ],
    [
      "a 403 without credits",
      aiSdk(403, {
        error:
          "Your team has either used all available credits or reached its monthly spending limit.",
      }),
      "quota",
    ],
    ["a string", "429 insufficient_quota", "quota"],
    // rate limits
    ["AI SDK, 429", aiSdk(429, { error: OPENAI_TPM }, { "retry-after": "7" }), "rate_limit", 7_000],
    ["AI SDK, 429 without a body", aiSdk(429, ""), "rate_limit"],
    [
      "OpenAI, 429, the header wins",
      openAi(429, OPENAI_TPM, { "retry-after-ms": "1500", "retry-after": "2" }),
      "rate_limit",
      1_500,
    ],
    ["OpenAI, 429, in its words", openAi(429, OPENAI_TPM), "rate_limit", 634],
    [
      "Anthropic, 429",
      anthropic(429, { type: "rate_limit_error", message: "too many" }, { "Retry-After": "90" }),
      "rate_limit",
      90_000,
    ],
    [
      "Anthropic, an error event of a stream",
      { type: "error", error: { type: "rate_limit_error", message: "too many" } },
      "rate_limit",
    ],
    [
      "LangChain, 429",
      langChain(openAi(429, { message: "slow down" }), "MODEL_RATE_LIMIT", { retryAfterMs: 4_000 }),
      "rate_limit",
      4_000,
    ],
    ["Groq, with a link to its billing", openAi(429, GROQ_TPD), "rate_limit", 480_384],
    ["Google, in the words of a quota", aiSdk(429, GOOGLE_RATE), "rate_limit", 34_070],
    [
      "Google's own SDK",
      Object.assign(new Error(JSON.stringify(GOOGLE_RATE)), { name: "ApiError", status: 429 }),
      "rate_limit",
      34_070,
    ],
    [
      "Google, in its details only",
      aiSdk(429, { error: { status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "1.5s" }] } }),
      "rate_limit",
      1_500,
    ],
    [
      "AWS",
      { name: "ThrottlingException", message: "Too many tokens, please wait before trying again." },
      "rate_limit",
    ],
    [
      "AI SDK, retried by itself",
      Object.assign(new Error("Failed after 3 attempts"), {
        name: "AI_RetryError",
        lastError: aiSdk(429, "slow", { "retry-after": "3" }),
        errors: [],
      }),
      "rate_limit",
      3_000,
    ],
    [
      "axios",
      {
        message: "Request failed with status code 429",
        response: { status: 429, headers: { "Retry-After": ["5"] } },
      },
      "rate_limit",
      5_000,
    ],
    ["a string", "Rate limit exceeded, retry after 2 minutes", "rate_limit", 120_000],
    [
      "a 429 whose code wins over its words",
      openAi(429, { message: "See billing for more", code: "rate_limit_exceeded" }),
      "rate_limit",
    ],
    [
      "a 429 with a link to billing, without a code",
      openAi(429, { message: "Slow down, or see https://example.com/billing" }),
      "rate_limit",
    ],
    // the prompt did not fit
    [
      "Groq, 413, in the code of a rate limit",
      openAi(413, { message: "Request too large for model", code: "rate_limit_exceeded" }),
      "context",
    ],
    [
      "OpenAI",
      openAi(400, {
        message: "This model's maximum context length is 128000 tokens.",
        code: "context_length_exceeded",
      }),
      "context",
    ],
    [
      "Anthropic",
      anthropic(400, {
        type: "invalid_request_error",
        message: "prompt is too long: 200001 tokens > 200000 maximum",
      }),
      "context",
    ],
    [
      "Anthropic, 413",
      anthropic(413, { type: "request_too_large", message: "too large" }),
      "context",
    ],
    ["LangChain", ContextOverflowError.fromError(new Error("no")), "context"],
    [
      "Google",
      aiSdk(400, {
        error: {
          message:
            "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
        },
      }),
      "context",
    ],
    [
      "AWS",
      { name: "ValidationException", message: "Input is too long for requested model." },
      "context",
    ],
    // no answer
    [
      "fetch",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:443"), {
          code: "ECONNREFUSED",
        }),
      }),
      "network",
    ],
    [
      "AI SDK, no connection",
      aiSdk(undefined, "Cannot connect to API: connect ECONNREFUSED"),
      "network",
    ],
    ["OpenAI, no connection", openAiGoneWrong("Connection error."), "network"],
    ["OpenAI, timeout", new OpenAI.APIConnectionTimeoutError(), "network"],
    [
      "a lost stream",
      new TypeError("terminated", { cause: new DOMException("no", "AbortError") }),
      "network",
    ],
    ["a signal's timeout", new DOMException("The operation timed out.", "TimeoutError"), "network"],
    ["504", aiSdk(504, "Gateway Timeout"), "network"],
    ["a code of Node alone", { code: "ECONNRESET" }, "network"],
    // the provider's or the model's failure
    ["500", aiSdk(500, { error: { message: "The server had an error" } }), "model"],
    [
      "Anthropic, overloaded",
      anthropic(529, { type: "overloaded_error", message: "Overloaded" }, { "retry-after": "2" }),
      "model",
      2_000,
    ],
    [
      "a 500 that speaks of keys and limits",
      openAi(500, { message: "invalid api key cache; rate limit; credit balance" }),
      "model",
    ],
    [
      "a 400 for a tool named billing",
      aiSdk(400, {
        error: { message: "Invalid schema for function 'billing': unauthorised_user is required" },
      }),
      "model",
    ],
    [
      "404",
      openAi(404, { message: "The model `gpt-9` does not exist", code: "model_not_found" }),
      "model",
    ],
    [
      "a bug of the provider's code",
      new TypeError("Cannot read properties of undefined (reading 'choices')"),
      "model",
    ],
    ["a string", "boom", "model"],
    ["undefined", undefined, "model"],
    ["null", null, "model"],
    ["a number", 42, "model"],
    // aborted
    ["fetch", new DOMException("This operation was aborted", "AbortError"), "aborted"],
    ["OpenAI", new OpenAI.APIUserAbortError(), "aborted"],
    ["Anthropic", new Anthropic.APIUserAbortError(), "aborted"],
    ["LangChain", new ModelAbortError("Model invocation was aborted."), "aborted"],
    ["both, minified", new Error("Request was aborted."), "aborted"],
  ];

describe("an error of a provider has a kind, and perhaps a time to wait", () => {
  test.each(rows)("%s", (_, error, kind, waits) => {
    expect(classifyError(error)).toBe(kind);
    expect(retryAfterMs(error, NOW)).toBe(waits);
    expect(messageOf(error)).not.toBe("");
  });
});

const CODES: Readonly<Partial<Record<ErrorKind, readonly string[]>>> = {
  quota: [
    "insufficient_quota",
    "InsufficientQuotaError",
    "quota_exceeded",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
    "payment_required",
    "PaymentRequiredError",
    "insufficient_balance",
    "insufficient_credits",
  ],
  auth: [
    "authentication_error",
    "GatewayAuthenticationError",
    "invalid_api_key",
    "API_KEY_INVALID",
    "PERMISSION_DENIED",
    "PermissionDeniedError",
    "permission_error",
    "UNAUTHENTICATED",
    "unauthorized",
    "MODEL_AUTHENTICATION",
    "AI_LoadAPIKeyError",
    "AccessDeniedException",
    "ExpiredTokenException",
    "UnrecognizedClientException",
  ],
  rate_limit: [
    "rate_limit_exceeded",
    "rate_limit_error",
    "GatewayRateLimitError",
    "RESOURCE_EXHAUSTED",
    "ThrottlingException",
    "TooManyRequests",
    "TooManyRequestsException",
  ],
  context: [
    "context_length_exceeded",
    "CONTEXT_OVERFLOW",
    "ContextOverflowError",
    "request_too_large",
  ],
  network: [
    "ECONNREFUSED",
    "ENETUNREACH",
    "EHOSTUNREACH",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "UND_ERR_SOCKET",
    "TimeoutError",
    "APIConnectionError",
    "GATEWAY_TIMEOUT",
    "CERT_HAS_EXPIRED",
    "DEADLINE_EXCEEDED",
  ],
};
const codes = Object.entries(CODES).flatMap(([kind, names]) => names.map((name) => [name, kind]));

test.each(codes)("%s is of the kind %s, as a code and as a name", (code, kind) => {
  expect(classifyError({ code })).toBe(kind);
  expect(classifyError({ name: code })).toBe(kind);
});

test.each(["AbortError", "APIUserAbortError", "ModelAbortError", "ResponseAborted"])(
  "an error by the name %s is an abort",
  (name) => {
    expect(classifyError(Object.assign(new Error("no"), { name }))).toBe("aborted");
  },
);

test.each([
  [402, "quota"],
  [401, "auth"],
  [403, "auth"],
  [429, "rate_limit"],
  [413, "context"],
  [408, "network"],
  [504, "network"],
  [522, "network"],
  [524, "network"],
  [400, "model"],
  [500, "model"],
  [529, "model"],
])("a status of %i is of the kind %s", (status, kind) => {
  expect(classifyError({ status })).toBe(kind);
});

test.each<ErrorKind>([
  "auth",
  "quota",
  "rate_limit",
  "network",
  "timeout",
  "model",
  "context",
  "empty",
  "cut",
  "aborted",
])("an error of a session keeps its kind: %s", (kind) => {
  for (const name of ["ProviderError", "TurnFailed"]) {
    expect(classifyError({ name, kind })).toBe(kind);
  }
  expect(classifyError({ name: "OtherError", kind })).toBe("model");
  expect(classifyError({ name: "ProviderError", kind: "other" })).toBe("model");
});

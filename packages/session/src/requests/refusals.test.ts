import { APICallError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import type { ErrorKind } from "../shared/index.ts";
import { classifyError } from "./classify-error.ts";
import { messageOf } from "./message-of.ts";
import { resetIn } from "./reset-times.ts";
import { retryAfterMs } from "./retry-after.ts";
import { runRequests } from "./run-requests.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");

/** As the AI SDK throws it; a body that it cannot read leaves the words of the status. */
function refused(
  statusCode: number,
  body: unknown,
  responseHeaders: Readonly<Record<string, string>> = {},
): APICallError {
  const { error } = Object(body) as { readonly error?: { readonly message?: string } };
  return new APICallError({
    message: error?.message ?? "Bad Request",
    url: "https://api.example.com/v1/chat",
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const wrong = (message: string, more: object = {}): object => ({ error: { message, ...more } });

describe("a prompt that is too long, in the words of each provider (F16)", () => {
  test.each<readonly [string, number, unknown]>([
    ["OpenAI", 400, wrong("This model's maximum context length is 8192 tokens.")],
    [
      "OpenAI, in a minute",
      429,
      wrong(
        "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 48000. The input or output tokens must be reduced in order to run successfully.",
        { type: "tokens", code: "rate_limit_exceeded" },
      ),
    ],
    [
      "Anthropic",
      400,
      wrong(
        "input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length or `max_tokens` and try again",
        { type: "invalid_request_error" },
      ),
    ],
    [
      "Kimi",
      400,
      wrong("Invalid request: Your request exceeded model token limit: 32768 (requested: 33012)"),
    ],
    ["Kimi, with the status of a key", 401, wrong("Your request exceeded model token limit: 1")],
    ["MiniMax", 400, wrong("invalid params, context window exceeds limit (2013)")],
    ["GLM", 400, wrong("Prompt exceeds max length", { code: "1261" })],
    ["Copilot", 400, wrong("prompt token count of 137500 exceeds the limit of 128000")],
    [
      "LM Studio",
      400,
      wrong(
        "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length",
      ),
    ],
    [
      "Qwen",
      400,
      wrong(
        "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
      ),
    ],
    [
      "Together",
      422,
      wrong(
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000",
      ),
    ],
    [
      "Cohere",
      400,
      {
        message:
          "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
      },
    ],
    [
      "Databricks",
      400,
      {
        error_code: "BAD_REQUEST",
        message: "Input prompt is longer than the maximum input length of 8192",
      },
    ],
    [
      "Gemini",
      400,
      wrong("The input token count (1200000) exceeds the maximum number of tokens allowed"),
    ],
    ["llama.cpp", 400, wrong("the request exceeds the available context size (4096 tokens)")],
    [
      "xAI",
      400,
      wrong("This model's maximum prompt length is 131072 but the request contains 150000"),
    ],
  ])("%s", (_, status, body) => {
    expect(classifyError(refused(status, body))).toBe("context");
  });
});

describe("a status does not say whose refusal it is (F16)", () => {
  test.each<readonly [string, number, unknown, ErrorKind]>([
    ["a key", 401, wrong("Incorrect API key provided"), "auth"],
    [
      "a right",
      403,
      wrong("You do not have access to this model", { code: "permission_denied" }),
      "auth",
    ],
    ["a right, with nothing said", 403, "", "auth"],
    [
      "moderation",
      403,
      wrong("This model requires moderation and your input was flagged", {
        code: 403,
        metadata: { reasons: ["violence"] },
      }),
      "model",
    ],
    ["a policy", 403, wrong("Your request violates our usage policies"), "model"],
    [
      "the page of a firewall",
      403,
      "<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head></html>",
      "network",
    ],
    [
      "a budget at the gateway",
      400,
      wrong("Budget has been exceeded! Current cost: 5.2, Max budget: 5.0", {
        type: "budget_exceeded",
        code: "400",
      }),
      "quota",
    ],
    ["a limit of requests", 429, wrong("slow down"), "rate_limit"],
  ])("%s", (_, status, body, kind) => {
    expect(classifyError(refused(status, body))).toBe(kind);
  });
});

describe("the reason is the body's, wherever it has it (F16)", () => {
  test.each<readonly [string, unknown, string]>([
    ["message", { error_code: "X", message: "Input is odd" }, "Input is odd"],
    ["detail", { detail: "Input is odd" }, "Input is odd"],
    ["detail, as a list", { detail: [{ loc: ["body"], msg: "Input is odd" }] }, "Input is odd"],
    ["errors", { errors: [{ message: "Input is odd" }] }, "Input is odd"],
    ["error, as a string", { error: "Input is odd" }, "Input is odd"],
    ["a string", "upstream connect error", "upstream connect error"],
    [
      "the title of a page",
      "<html><title>Attention Required!</title></html>",
      "Attention Required!",
    ],
    ["nothing", "", "Bad Request"],
  ])("%s", (_, body, words) => {
    expect(messageOf(refused(400, body))).toBe(words);
  });
});

describe("when a limit is free again, if no header says how long to wait (F15)", () => {
  const at = (milliseconds: number): string => String(NOW + milliseconds);
  test.each<readonly [string, Readonly<Record<string, string>>, number | undefined]>([
    [
      "OpenAI, requests",
      { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "11s" },
      11_000,
    ],
    [
      "OpenAI, the one that is used up",
      {
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "1m30s",
      },
      90_000,
    ],
    ["parts of a second", { "x-ratelimit-reset-tokens": "250ms" }, 250],
    [
      "Anthropic",
      {
        "anthropic-ratelimit-tokens-remaining": "0",
        "anthropic-ratelimit-tokens-reset": "2026-11-22T12:00:09Z",
      },
      9_000,
    ],
    ["the first drafts", { "ratelimit-remaining": "0", "ratelimit-reset": "8" }, 8_000],
    ["the draft in one header", { ratelimit: "limit=10, remaining=0, reset=8" }, 8_000],
    ["the last draft", { RateLimit: '"default";r=0;t=8' }, 8_000],
    ["a point in time", { "x-ratelimit-reset": at(18_000) }, 18_000],
    ["a point in time, in seconds", { "x-ratelimit-reset": String(NOW / 1_000 + 18) }, 18_000],
    ["the past", { "x-ratelimit-reset": at(-18_000) }, 0],
    [
      "a limit with something left",
      { "ratelimit-remaining": "3", "ratelimit-reset": "8" },
      undefined,
    ],
    ["what is not a time", { "ratelimit-reset": "soon" }, undefined],
    ["nothing", {}, undefined],
  ])("%s", (_, headers, milliseconds) => {
    expect(resetIn(refused(429, "", headers), NOW)).toBe(milliseconds);
  });

  test("OpenRouter repeats the headers in its body", () => {
    const headers = { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": at(18_000) };
    const body = wrong("Rate limit exceeded", { code: 429, metadata: { headers } });
    expect(retryAfterMs(refused(429, body), NOW)).toBeUndefined();
    expect(resetIn(refused(429, body), NOW)).toBe(18_000);
  });

  test.each([null, undefined, 5, "x", { headers: 5 }, { headers: { "x-ratelimit-reset": {} } }])(
    "what is not an error says nothing: %j",
    (thrown) => {
      expect(resetIn(thrown, NOW)).toBeUndefined();
    },
  );
});

describe("what a target asks for (F15, F21)", () => {
  const run = async (
    targets: readonly string[],
    error: Error,
    rateLimitWait: "same-target" | "always" = "same-target",
  ): Promise<{
    readonly waits: readonly number[];
    readonly asked: string;
    readonly words: string;
  }> => {
    const waits: number[] = [];
    let asked = "";
    let words = "";
    await runRequests({
      targets,
      maxRetries: 2,
      rateLimitWait,
      clock: () => NOW,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      onFailed: (failed) => (words ||= String(failed.askedFor ?? "")),
      call: async (target) => {
        asked += target;
        if (asked.length === 1) throw error;
      },
    }).catch((thrown: unknown) => (words = String(thrown)));
    return { waits, asked, words };
  };

  test.each([
    [529, "6", 6_000],
    [503, "2", 2_000],
    [500, "2", 2_000],
  ])("a %i that asks for %s s is waited for on the only target", async (status, seconds, wait) => {
    for (const how of ["same-target", "always"] as const) {
      const error = refused(status, wrong("Overloaded"), { "retry-after": seconds });
      expect(await run(["a"], error, how)).toEqual({ waits: [wait], asked: "aa", words: "" });
    }
  });

  test("with another target left, nothing is waited for", async () => {
    const error = refused(503, wrong("Overloaded"), { "retry-after": "2" });
    expect(await run(["a", "b"], error)).toEqual({ waits: [], asked: "ab", words: "" });
  });

  test("an error that asks for nothing is repeated at once", async () => {
    expect(await run(["a"], refused(503, wrong("Overloaded")))).toMatchObject({ waits: [] });
  });

  test.each([429, 503])("a %i that asks for too long says so, and the option", async (status) => {
    const error = refused(status, wrong("busy"), { "retry-after": "1800" });
    const { asked, words } = await run(["a"], error);
    expect(asked).toBe("a");
    expect(words).toContain("it asks to be left alone for 1800 s, more than maxRateLimitWait");
    expect(await run(["a", "b"], error)).toEqual({ waits: [], asked: "ab", words: "1800000" });
  });
});

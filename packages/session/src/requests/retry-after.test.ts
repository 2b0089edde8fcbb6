import { describe, expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const DAY = 86_400_000;
const LONGEST = 2_147_483_647;

describe("the header Retry-After", () => {
  test.each<readonly [string, unknown, number | undefined]>([
    ["seconds", "7", 7_000],
    ["more than a minute", "3600", 3_600_000],
    ["a part of a second", "0.25", 250],
    ["none", "0", 0],
    ["a number", 7, 7_000],
    ["blanks around it", " 7 ", 7_000],
    ["a list", ["7", "9"], 7_000],
    ["an HTTP date", "Sun, 22 Nov 2026 12:01:30 GMT", 90_000],
    ["a date of RFC 850", "Sunday, 22-Nov-26 12:01:30 GMT", 90_000],
    ["a date of asctime, which means GMT", "Sun Nov 22 12:01:30 2026", 90_000],
    ["an ISO date", "2026-11-22T12:00:01.500Z", 1_500],
    ["a date in the past", "Sat, 21 Nov 2026 12:00:00 GMT", 0],
    ["longer than a timer can wait", String(40 * DAY), LONGEST],
    ["negative", "-5", undefined],
    ["words", "soon 1", undefined],
    ["empty", "", undefined],
    ["hexadecimal", "0x10", undefined],
    ["infinite", "Infinity", undefined],
    ["infinite as a number", Number.POSITIVE_INFINITY, undefined],
    ["no number", Number.NaN, undefined],
    ["an object", {}, undefined],
    ["a day that does not exist", "Sun, 99 Nov 2026 12:00:00 GMT", undefined],
    ["a megabyte", "9".repeat(1_000_000), undefined],
  ])("%s", (_, value, milliseconds) => {
    expect(retryAfterMs({ headers: { "retry-after": value } }, NOW)).toBe(milliseconds);
  });
});

describe("is found", () => {
  test.each<readonly [string, unknown, number | undefined]>([
    ["in Headers", { headers: new Headers({ "Retry-After": "3" }) }, 3_000],
    ["in a Response", new Response(null, { status: 429, headers: { "retry-after": "3" } }), 3_000],
    ["in a record of any case", { headers: { "RETRY-AFTER": "3" } }, 3_000],
    ["in the headers of a response", { response: { headers: { "Retry-After": "3" } } }, 3_000],
    [
      "in a cause's cause",
      { cause: { cause: { responseHeaders: { "retry-after": "3" } } } },
      3_000,
    ],
    [
      "in milliseconds, before seconds",
      { headers: { "retry-after": "3", "retry-after-ms": "2500" } },
      2_500,
    ],
    [
      "in seconds, if the milliseconds are none",
      { headers: { "retry-after": "3", "retry-after-ms": "x" } },
      3_000,
    ],
    ["in a field, after the header", { retryAfterMs: 9, headers: { "retry-after": "3" } }, 3_000],
    ["in a field", { retryAfterMs: 9 }, 9],
    [
      "but not in a field that is not a time",
      { retryAfterMs: -9, message: "try again in 2s" },
      2_000,
    ],
    ["but not in headers of null", { headers: null, responseHeaders: "retry-after: 3" }, undefined],
    [
      "but not in headers whose get throws",
      {
        headers: {
          get: () => {
            throw new Error("no");
          },
        },
      },
      undefined,
    ],
    ["but not in nothing", undefined, undefined],
  ])("%s", (_, error, milliseconds) => {
    expect(retryAfterMs(error, NOW)).toBe(milliseconds);
  });
});

test.each<readonly [string, number | undefined]>([
  ["Please try again in 634ms. Visit https://example.com", 634],
  ["Please try again in 6.5s.", 6_500],
  ["Please try again in 20s", 20_000],
  ["Please try again in 1m30.5s.", 90_500],
  ["Please try again in 1h2m3s", 3_723_000],
  ["Please retry after 26 seconds.", 26_000],
  ["Please retry after 1 second", 1_000],
  ["Try again after 2 minutes, 30 seconds", 150_000],
  ["retry in 3 hours", 10_800_000],
  ["Please try again in 0.2ms", 1],
  ["Please try again in a moment", undefined],
  ["Please try again in 5 months", undefined],
  ["Please try again in 5", undefined],
  ["Used 99336 tokens in 5s", undefined],
  [`try again in ${"1".repeat(100_000)}s`, undefined],
])("the message %j", (message, milliseconds) => {
  expect(retryAfterMs(new Error(message), NOW)).toBe(milliseconds);
  expect(retryAfterMs(message, NOW)).toBe(milliseconds);
});

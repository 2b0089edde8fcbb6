import { call, calls, failure, fails, READ, reported, says, target } from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const ASKS =
  "it asks to be left alone for 3600 s, more than maxRateLimitWait (max_rate_limit_wait) of 60 s";

const done = says("done");
const DONE = reported("done");

/** How long a run waits for providers that limit it. */
export const rateLimitCases: readonly SessionCase[] = [
  ...[
    { name: "Retry-After in seconds", after: "7", waits: [7_000] },
    { name: "Retry-After of a minute", after: "60", waits: [60_000] },
    { name: "Retry-After as a date", after: "Thu, 01 Jan 2026 00:00:30 GMT", waits: [30_000] },
  ].map(({ name, after, waits }): SessionCase => ({
    name: `${name} is honoured`,
    clause: "Rate limits: honor Retry-After header when provided",
    targets: [target([fails(429, { after }), done])],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pa"],
      conversation: "user, assistant",
      waits,
      accounting: ["pa failed: status 429", "pa ok"],
    },
  })),
  {
    name: "rate limits without a time wait 1 s, doubling to 60 s",
    clause: "Fallback: exponential backoff (1s to 60s max)",
    options: { maxRetries: 9 },
    targets: [target([...Array.from({ length: 8 }, () => fails(429)), done])],
    expected: {
      success: true,
      report: DONE,
      requests: Array.from({ length: 9 }, () => "pa"),
      conversation: "user, assistant",
      waits: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
      accounting: [...Array.from({ length: 8 }, () => "pa failed: status 429"), "pa ok"],
    },
  },
  {
    name: "a cycle in which all targets are limited waits 60 s",
    clause: "If ALL targets rate-limited in same cycle: wait max backoff",
    options: { maxRetries: 5, rateLimitWait: "always" },
    targets: [
      target([fails(429), fails(429), done]),
      target([fails(429), fails(429)], { name: "pb" }),
    ],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pb", "pa", "pb", "pa"],
      conversation: "user, assistant",
      waits: [1_000, 60_000, 4_000, 60_000],
      accounting: [
        "pa failed: status 429",
        "pb failed: status 429",
        "pa failed: status 429",
        "pb failed: status 429",
        "pa ok",
      ],
    },
  },
  {
    name: "a given Retry-After wins over the wait for all targets",
    clause: "a given Retry-After wins",
    options: { rateLimitWait: "always" },
    targets: [
      target([fails(429, { after: "2" }), done]),
      target([fails(429, { after: "3" })], { name: "pb" }),
    ],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pb", "pa"],
      conversation: "user, assistant",
      waits: [2_000, 3_000],
      accounting: ["pa failed: status 429", "pb failed: status 429", "pa ok"],
    },
  },
  {
    name: "a cycle in which all targets are limited waits 60 s, and no target before its end",
    clause: "If ALL targets rate-limited in same cycle: wait max backoff",
    options: { maxRetries: 5 },
    targets: [
      target([fails(429), fails(429), done]),
      target([fails(429), fails(429)], { name: "pb" }),
    ],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pb", "pa", "pb", "pa"],
      conversation: "user, assistant",
      waits: [60_000, 60_000],
      accounting: [
        "pa failed: status 429",
        "pb failed: status 429",
        "pa failed: status 429",
        "pb failed: status 429",
        "pa ok",
      ],
    },
  },
  {
    name: "a healthy target does not wait for one that asks for an hour, which is not asked again",
    clause: "Retry-After binds the target that said it",
    targets: [
      target([fails(429, { after: "3600" }), done]),
      target([calls(call("c1")), fails(500), done], { name: "pb" }),
    ],
    tools: [READ],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pb", "pb", "pb"],
      conversation: "user, assistant c1, tool c1, assistant",
      accounting: ["pa failed: status 429", "pb ok", "read ok", "pb failed: status 500", "pb ok"],
    },
  },
  {
    name: "a run whose only target asks for an hour ends at once",
    clause: "maxRateLimitWait caps the wait: beyond, the target is out for the run",
    targets: [target([fails(429, { after: "3600" }), done])],
    expected: {
      success: false,
      error: "status 429",
      report: failure("attempts_exhausted", `status 429; ${ASKS}`),
      requests: ["pa"],
      conversation: "user",
      accounting: ["pa failed: status 429"],
    },
  },
  {
    name: "another target is asked at once",
    clause: 'rateLimitWait: "same-target" delays the next attempt on the same target only',
    targets: [target([fails(429, { after: "7" }), done]), target([fails(500)], { name: "pb" })],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pb", "pa"],
      conversation: "user, assistant",
      waits: [7_000],
      accounting: ["pa failed: status 429", "pb failed: status 500", "pa ok"],
    },
  },
];

import { fails, reported, says, target } from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const done = says("done");
const DONE = reported("done");

/** How long a run waits for providers that limit it. */
export const rateLimitCases: readonly SessionCase[] = [
  ...[
    { name: "Retry-After in seconds", after: "7", waits: [7_000] },
    { name: "Retry-After of more than a minute", after: "120", waits: [120_000] },
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
    name: "with same-target, another target is asked at once",
    clause: 'rateLimitWait: "same-target" delays the next attempt on the same target only',
    options: { rateLimitWait: "same-target" },
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

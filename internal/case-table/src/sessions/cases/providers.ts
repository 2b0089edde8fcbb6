import {
  call,
  calls,
  fails,
  failure,
  READ,
  report,
  reported,
  says,
  target,
  thenReports,
} from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const ROUND_ROBIN = "Attempt N: targets[(N-1) % targets.length]";
const FATAL = "Session fails immediately; no retry attempts; result.error populated";
const AT_ONCE = "Network/timeout/model errors: retry with next provider/model target immediately";

const done = says("done");
const DONE = reported("done");
const second = target([done], { name: "pb" });

export const providerCases: readonly SessionCase[] = [
  {
    name: "maxRetries is the number of attempts",
    clause: "maxRetries: 3 allows 3 attempts (initial + 2 retries)",
    options: { maxRetries: 3 },
    targets: [target([fails(500), fails(500), fails(500), done])],
    expected: {
      success: false,
      error: "status 500",
      report: failure("attempts_exhausted", "status 500"),
      requests: ["pa", "pa", "pa"],
      conversation: "user",
      accounting: ["pa failed: status 500", "pa failed: status 500", "pa failed: status 500"],
      events: [1, 2, 3].map((attempt) => ({ type: "attempt-failed", turn: 1, attempt })),
    },
  },
  {
    name: "maxRetries of one means no retry",
    clause: "maxRetries: 1 allows 1 attempt (no retries)",
    options: { maxRetries: 1 },
    targets: [target([fails(500), done])],
    expected: {
      success: false,
      error: "status 500",
      report: failure("attempts_exhausted", "status 500"),
      requests: ["pa"],
      conversation: "user",
      accounting: ["pa failed: status 500"],
    },
  },
  {
    name: "a turn that failed ends the run with what it has",
    clause: "After exhausting all attempts: turn fails, session continues to next turn or exits",
    options: { maxRetries: 2 },
    targets: [target([calls(call("c1")), fails(500), fails(503), done])],
    tools: [READ],
    expected: {
      success: false,
      error: "status 503",
      report: failure("attempts_exhausted", "status 503"),
      requests: ["pa", "pa", "pa"],
      conversation: "user, assistant c1, tool c1",
      accounting: ["pa ok", "read ok", "pa failed: status 500", "pa failed: status 503"],
    },
  },
  {
    name: "attempts go round robin through the targets",
    clause: ROUND_ROBIN,
    options: { maxRetries: 4 },
    targets: [target([fails(429), fails(429)]), target([fails(500), done], { name: "pb" })],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pb", "pa", "pb"],
      conversation: "user, assistant",
      waits: [1_000],
      accounting: [
        "pa failed: status 429",
        "pb failed: status 500",
        "pa failed: status 429",
        "pb ok",
      ],
      events: [
        {
          type: "attempt-failed",
          provider: "pa",
          model: "scripted",
          kind: "rate_limit",
          reason: "status 429",
          status: 429,
          waits: 0,
          next: { provider: "pb", model: "scripted" },
          maxRetries: 4,
        },
        { type: "attempt-failed", provider: "pb", model: "scripted", kind: "model", waits: 1_000 },
        {
          type: "attempt-failed",
          provider: "pa",
          model: "scripted",
          kind: "rate_limit",
          waits: 0,
        },
      ],
    },
  },
  {
    name: "every turn begins with the first target",
    clause: "Attempt 1: targets[0]",
    targets: [target([fails(500), report()]), target([calls(call("c1"))], { name: "pb" })],
    tools: [READ],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", "pb", "pa"],
      conversation: thenReports("c1"),
      accounting: ["pa failed: status 500", "pb ok", "read ok", "pa ok", "agent__final_report ok"],
    },
  },
  ...[
    { name: "an invalid key", reply: fails(401, { message: "Invalid API key" }), kind: "auth" },
    { name: "a key without rights", reply: fails(403), kind: "auth" },
    { name: "a spent account", reply: fails(402), kind: "quota" },
    {
      name: "a spent quota as a 429",
      reply: fails(429, {
        message: "You exceeded your current quota",
        body: '{"error":{"code":"insufficient_quota"}}',
      }),
      kind: "quota",
    },
  ].map(({ name, reply, kind }): SessionCase => {
    const { message = "" } = reply.error ?? {};
    return {
      name: `${name} ends the run at once`,
      clause: FATAL,
      targets: [target([reply, done]), second],
      expected: {
        success: false,
        error: message,
        requests: ["pa"],
        conversation: "user",
        accounting: [`pa failed: ${message}`],
        events: [{ type: "attempt-failed", attempt: 1, kind }],
      },
    };
  }),
  {
    name: "a fatal error in a later turn keeps the conversation",
    clause: FATAL,
    targets: [target([calls(call("c1")), fails(401)]), second],
    tools: [READ],
    expected: {
      success: false,
      error: "status 401",
      requests: ["pa", "pa"],
      conversation: "user, assistant c1, tool c1",
      accounting: ["pa ok", "read ok", "pa failed: status 401"],
    },
  },
  ...[
    { name: "a network error", message: "fetch failed", more: {}, kind: "network" },
    {
      name: "a timeout of the gateway",
      message: "status 504",
      more: { status: 504 },
      kind: "network",
    },
    { name: "an error of the model", message: "status 500", more: { status: 500 }, kind: "model" },
    { name: "a bad request", message: "status 400", more: { status: 400 }, kind: "model" },
    {
      name: "an error that is a string",
      message: "it broke",
      more: { isString: true },
      kind: "model",
    },
  ].map(({ name, message, more, kind }): SessionCase => ({
    name: `${name} goes on with the next target at once`,
    clause: AT_ONCE,
    targets: [target([{ error: { message, ...(more as { status?: number }) } }]), second],
    expected: {
      success: true,
      report: DONE,
      requests: ["pa", "pb"],
      conversation: "user, assistant",
      accounting: [`pa failed: ${message}`, "pb ok"],
      events: [{ type: "attempt-failed", kind, waits: 0 }],
    },
  })),
  {
    name: "each target gets its own settings",
    clause: "Session-level defaults can be overridden per-provider or per-model",
    targets: [
      target([fails(500)], { settings: { temperature: 0.7 } }),
      target([done], { name: "pb", settings: { temperature: 0.2 } }),
    ],
    expected: {
      success: true,
      report: DONE,
      requests: [
        { to: "pa", temperature: 0.7 },
        { to: "pb", temperature: 0.2 },
      ],
      conversation: "user, assistant",
      accounting: ["pa failed: status 500", "pb ok"],
    },
  },
  {
    name: "settings of the call hold for targets without their own",
    clause: "Temperature, topP, etc.: passed to provider on every LLM request",
    temperature: 1,
    targets: [
      target([fails(500)], { maxOutputTokens: 300 }),
      target([done], { name: "pb", settings: { temperature: 0.2 } }),
    ],
    expected: {
      success: true,
      report: DONE,
      requests: [
        { to: "pa", temperature: 1, maxOutputTokens: 300 },
        { to: "pb", temperature: 0.2 },
      ],
      conversation: "user, assistant",
      accounting: ["pa failed: status 500", "pb ok"],
    },
  },
];

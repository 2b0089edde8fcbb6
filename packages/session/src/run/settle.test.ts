import { expect, test } from "vitest";
import type { SessionEvent } from "../shared/index.ts";
import {
  answered,
  ASK,
  CALL,
  characters,
  type Message,
  reply,
  type Run,
  runs,
  streamed,
} from "../testing/index.ts";

type Options = Parameters<typeof runs>[1];
type Drive = Parameters<typeof runs>[2];

/** Turns and what they come to. */
interface Case {
  readonly loop: (run: Run) => Promise<unknown>;
  readonly options?: Options;
  readonly drive?: Drive;
  readonly verdict: { readonly success: boolean; readonly error?: string };
  /** The content of the report, and its metadata; undefined if there is none. */
  readonly report?: readonly [content: unknown, metadata?: object];
  /** Those of the events that are about the report. */
  readonly events?: readonly SessionEvent[];
}

const TOOLS = { tools: [{ name: "t" }] };
const TEXT = reply({ text: "done" });
const CUT = reply({ text: "do", finishReason: "length" });
const NUDGE: Options = { plainText: "nudge" };
const ended = (reason: string): string => expect.stringContaining(reason) as string;

/** Attempts of one turn: answers, and what else is thrown. */
const attempts =
  (...steps: readonly unknown[]) =>
  async (run: Run): Promise<unknown> => {
    let next = 0;
    return run.turn({ ...TOOLS, messages: () => [ASK] }, async (attempt) => {
      const step = steps[next] as ReturnType<typeof reply> | Error;
      next += 1;
      if (step instanceof Error) throw step;
      return attempt.end(step);
    });
  };

const DOWN = Object.assign(new Error("down"), { status: 500 });
const DENIED = Object.assign(new Error("bad key"), { status: 401 });
const TOO_LONG = Object.assign(new Error("too long"), { status: 413 });
const ABORT = new DOMException("stopped", "AbortError");
const throws = (thrown: unknown) => (): never => {
  throw thrown;
};

const cases: readonly (readonly [string, Case])[] = [
  [
    "text beside a call is commentary before the last turn",
    {
      loop: (run) => answered(run, { ...CALL, text: "Let me see." }),
      verdict: { success: false },
      report: [ended("gave no answer"), { reason: "no_answer" }],
    },
  ],
  [
    "text beside a call is the report in the last turn",
    {
      loop: (run) => answered(run, { ...CALL, text: "Let me see." }),
      options: { maxTurns: 1 },
      verdict: { success: true },
      report: ["Let me see."],
    },
  ],
  [
    "an answer of blanks is not a report",
    {
      loop: (run) => answered(run, { ...CALL, text: " \n" }),
      options: { maxTurns: 1 },
      verdict: { success: false },
      report: [ended("maximum number of turns"), { reason: "max_turns_exhausted" }],
    },
  ],
  [
    "text that stays text after the nudge is accepted",
    {
      loop: attempts(TEXT, TEXT),
      options: NUDGE,
      verdict: { success: true },
      report: ["done"],
      events: [{ type: "text-accepted" }],
    },
  ],
  [
    "in the last turn nobody is nudged",
    {
      loop: attempts(TEXT),
      options: { ...NUDGE, maxTurns: 1 },
      verdict: { success: true },
      report: ["done"],
    },
  ],
  [
    "without a tool on offer nobody is nudged",
    {
      loop: (run) => answered(run, TEXT),
      options: NUDGE,
      verdict: { success: true },
      report: ["done"],
    },
  ],
  [
    "the report tool alone is not a tool to nudge to",
    {
      loop: (run) => answered(run, TEXT, [ASK], { tools: [{ name: "agent__final_report" }] }),
      options: NUDGE,
      verdict: { success: true },
      report: ["done"],
    },
  ],
  [
    "text is asked about once in a run",
    {
      loop: async (run) => {
        await attempts(TEXT, CALL)(run);
        await attempts(TEXT)(run);
      },
      options: NUDGE,
      verdict: { success: true },
      report: ["done"],
      events: [{ type: "text-accepted" }],
    },
  ],
  [
    "text that was asked about gives way to a call",
    {
      loop: attempts(TEXT, CALL),
      options: NUDGE,
      verdict: { success: false },
      report: [ended("gave no answer"), { reason: "no_answer" }],
    },
  ],
  [
    "text that was asked about is better than a failure",
    {
      loop: attempts(TEXT, DOWN, DOWN),
      options: NUDGE,
      verdict: { success: true },
      report: ["done"],
    },
  ],
  [
    "text that was asked about does not hide a wrong key",
    {
      loop: attempts(TEXT, DENIED),
      options: NUDGE,
      verdict: { success: false, error: "bad key" },
    },
  ],
  [
    "text that was asked about does not hide an abort",
    {
      loop: async (run) => {
        await attempts(TEXT, DOWN, DOWN)(run).catch(() => undefined);
        throw ABORT;
      },
      options: NUDGE,
      verdict: { success: false, error: "stopped" },
    },
  ],
  [
    "a streamed text that was asked about counts if the framework then leaves",
    {
      loop: async (run) => {
        const attempt = await streamed(run, [ASK], TOOLS);
        expect(() => attempt.end(TEXT)).toThrow("plain text while tools are offered");
      },
      options: NUDGE,
      verdict: { success: true },
      report: ["done"],
    },
  ],
  [
    "a call is not text to fall back on",
    {
      loop: attempts({ ...CALL, text: "Let me see.", cut: true }, DOWN, DOWN),
      options: NUDGE,
      verdict: { success: false, error: "down" },
      report: [ended("all attempts of a turn failed. down"), { reason: "attempts_exhausted" }],
    },
  ],
  [
    "text that is cut is asked for again",
    {
      loop: attempts(CUT, TEXT),
      verdict: { success: true },
      report: ["done"],
    },
  ],
  [
    "text that is cut is the report if no attempt is left",
    {
      loop: attempts(CUT),
      options: { maxRetries: 1 },
      verdict: { success: true },
      report: ["do", { truncated: true }],
      events: [{ type: "report-truncated", reason: "length" }],
    },
  ],
  [
    "text that a filter ended is the report if no attempt is left",
    {
      loop: attempts({ ...CUT, finishReason: "content-filter" }),
      options: { maxRetries: 1 },
      verdict: { success: true },
      report: ["do", { truncated: true }],
      events: [{ type: "report-truncated", reason: "content_filter" }],
    },
  ],
  [
    "text that is cut is better than a failure, which is said beside it",
    {
      loop: attempts(CUT, DOWN, DOWN),
      verdict: { success: true, error: "down" },
      report: ["do", { truncated: true }],
      events: [{ type: "report-truncated", reason: "length" }],
    },
  ],
  [
    "text that is cut after a nudge is not a whole answer",
    {
      loop: attempts(TEXT, CUT, DOWN),
      options: NUDGE,
      verdict: {
        success: true,
        error: "down (before that, p/b: the answer was cut off at its length limit)",
      },
      report: ["do", { truncated: true }],
      events: [{ type: "report-truncated", reason: "length" }],
    },
  ],
  [
    "text that is cut does not use up the nudge",
    {
      loop: async (run) => {
        await attempts(CUT, CALL)(run);
        await attempts(TEXT, CALL)(run);
      },
      options: NUDGE,
      verdict: { success: false },
      report: [ended("gave no answer"), { reason: "no_answer" }],
    },
  ],
  [
    "a prompt that no target takes",
    {
      loop: attempts(TOO_LONG, TOO_LONG, TOO_LONG),
      verdict: { success: false, error: "too long" },
      report: [
        ended("context window was exceeded. too long"),
        { reason: "context_window_exceeded" },
      ],
    },
  ],
  [
    "an error of the framework",
    {
      loop: throws(new Error("a bug")),
      verdict: { success: false, error: "a bug" },
      report: [ended("gave no answer. a bug"), { reason: "no_answer" }],
    },
  ],
  [
    "an error of the framework around a turn that failed",
    {
      loop: (run) =>
        attempts(DOWN, DOWN, DOWN)(run).catch(throws(new Error("The loop ended early"))),
      verdict: { success: false, error: "down" },
      report: [ended("all attempts"), { reason: "attempts_exhausted" }],
    },
  ],
  [
    "an abort after a turn that failed",
    {
      loop: (run) => attempts(DOWN, DOWN, DOWN)(run).catch(throws(ABORT)),
      verdict: { success: false, error: "stopped" },
    },
  ],
  [
    "a loop that a limit ended has no answer in its last text",
    {
      loop: (run) => answered(run, TEXT),
      drive: { end: () => ({ endedBy: "Stop: t failed 3 times" }) },
      verdict: { success: false, error: "Stop: t failed 3 times" },
      report: [ended("gave no answer. Stop: t failed 3 times"), { reason: "no_answer" }],
    },
  ],
  [
    "a loop that a limit ended after the report",
    {
      loop: async (run) => run.report({ format: "markdown", content: "done" }),
      drive: { end: () => ({ endedBy: "Stop: t failed 3 times" }) },
      verdict: { success: true },
      report: ["done"],
    },
  ],
  [
    "a report beside an error that is JSON, in the session's format",
    {
      loop: throws(new Error("a bug")),
      options: { expectedOutputFormat: "json" },
      verdict: { success: false, error: "a bug" },
      report: [
        {
          error: "The run ended without a final report: the model gave no answer. a bug",
          reason: "no_answer",
        },
        { reason: "no_answer" },
      ],
    },
  ],
];

const ABOUT_REPORTS: ReadonlySet<string> = new Set(["text-accepted", "report-truncated"]);

test.each(cases)("%s", async (_, { loop, options, drive, verdict, report, events = [] }) => {
  const ran = await runs(loop, { clock: () => 7, ...options }, drive);
  const { success, error, finalReport } = ran;
  expect({ success, ...(error !== undefined && { error }) }).toEqual(verdict);
  const { content, content_json: json, metadata, ts } = finalReport ?? {};
  expect(finalReport && [content ?? json, metadata]).toEqual(report && [report[0], report[1]]);
  if (finalReport) expect(ts).toBe(7);
  expect(ran.events.filter(({ type }) => ABOUT_REPORTS.has(type))).toEqual(events);
});

const usage = { inputTokens: 90, outputTokens: 10, totalTokens: 100 };
const LONG: Message = { role: "user", text: "x".repeat(2_000) };
const SAME = { id: "c", name: "t", input: { page: 1 } };

/** A turn in which the model makes the same call, which has the same result. */
async function again(run: Run): Promise<void> {
  await answered(run, { ...CALL, usage });
  const call = run.tool(SAME);
  await call.run(() => "busy");
  call.shown(["busy"]);
}

test.each<readonly [string, (run: Run) => Promise<unknown>, Options, string]>([
  ["the turns", (run) => answered(run, CALL), { maxTurns: 1 }, "max_turns_exhausted"],
  [
    "the window",
    (run) => answered(run, CALL, [LONG]),
    { targets: [{ model: "a", contextWindow: 1_000 }], estimateTokens: characters },
    "context_window_exceeded",
  ],
  [
    "the budget",
    async (run) => {
      await answered(run, { ...CALL, usage });
      await answered(run, { ...CALL, usage });
    },
    { maxTokens: 250 },
    "budget_exhausted",
  ],
  [
    "progress",
    async (run) => {
      for (let turn = 1; turn <= 4; turn += 1) await again(run);
      await answered(run, { ...CALL, usage });
    },
    {},
    "no_progress",
  ],
  [
    "reports, of which one was refused",
    async (run) => {
      await answered(run, CALL);
      run.report({ format: "markdown" });
      await answered(run, CALL);
    },
    {},
    "max_turns_exhausted",
  ],
  [
    "nothing yet, although one was refused",
    async (run) => {
      await answered(run, CALL);
      run.report({ format: "markdown" });
    },
    {},
    "no_answer",
  ],
])("a run without an answer says that it ran out of %s", async (_, loop, options, reason) => {
  const { success, finalReport } = await runs(loop, options);
  expect(success).toBe(false);
  expect(finalReport?.metadata).toEqual({ reason });
});

import { describe, expect, test, vi } from "vitest";
import { withFacts } from "@toolcontract/explain/adapter";
import { createFaults } from "./faults.ts";
import { consoleLogger, logEntryOf } from "./logger.ts";
import type { CallRefused, FaultReport, Report, ReportedCall } from "./report.ts";

const SECRET = "sk-live-4242424242424242";
const errors = [
  {
    errorCode: "VAL-001",
    fieldPath: "/path",
    message: `Required field 'path' is missing beside ${SECRET}`,
    severity: "error",
    expectedValue: `string like ${SECRET}`,
  },
  {
    errorCode: "VAL-008",
    fieldPath: "/encoding",
    message: "Invalid enum value",
    severity: "error",
    actualValue: SECRET,
    hint: SECRET,
  },
] as const;
const named = { toolName: "read_file", toolCallId: "call_1", conversationId: "c" };
const call: ReportedCall = {
  ...named,
  startedAt: undefined,
  identity: () => ({ ...named, correlationId: "abc-123" }),
};
const anonymous: ReportedCall = { ...call, identity: () => named };
const refused: CallRefused = {
  kind: "refused",
  call,
  status: "rejected",
  lane: "validation",
  attempt: 1,
  maxAttempts: 3,
  errors: errors.map((error) => withFacts({ ...error }, { logPath: error.fieldPath })),
  totalErrors: 2,
  hidden: undefined,
  isRepaired: false,
  hasRun: false,
  isObserved: false,
  escalation: undefined,
};

function written(report: Report): unknown {
  const entry = logEntryOf(report);
  const write = vi.spyOn(console, "error").mockImplementation(() => {});
  if (entry) consoleLogger(entry.fields, entry.message);
  expect(write).toHaveBeenCalledOnce();
  const [line] = write.mock.calls[0] ?? [];
  write.mockRestore();
  return line;
}

/** What is reported of something thrown. */
function faultOf(thrown: unknown, toolName?: string): FaultReport {
  const reports: FaultReport[] = [];
  createFaults((report) => reports.push(report)).fault("formatter", thrown, toolName);
  const [report] = reports;
  if (report === undefined) throw new Error("Nothing was reported.");
  return report;
}

describe("the log", () => {
  test("is one line of JSON in the contract's shape", () => {
    expect(written(refused)).toBe(
      JSON.stringify({
        level: "warn",
        message: "Tool validation failed",
        tool_name: "read_file",
        error_count: 2,
        retry_attempt: 1,
        max_retries: 3,
        errors: [
          { path: "/path", code: "VAL-001" },
          { path: "/encoding", code: "VAL-008" },
        ],
        correlation_id: "abc-123",
      }),
    );
  });

  test("logs an escalation as a separate warning", () => {
    const blocked = written({ ...refused, status: "blocked", attempt: 3 });
    expect(JSON.parse(String(blocked))).toMatchObject({
      level: "warn",
      message: "Tool validation blocked",
      retry_attempt: 3,
      max_retries: 3,
    });
  });

  test("reports a repair in counts", () => {
    const repair = { step: "fence", offset: 0, removed: 11, inserted: 0 } as const;
    const withText = { ...repair, text: SECRET };
    expect(logEntryOf({ kind: "repaired", call: anonymous, repairs: [withText] })).toEqual({
      message: "Tool arguments repaired",
      fields: { level: "info", tool_name: "read_file", repairs: [repair] },
    });
  });

  test("reports a fault by class and stage", () => {
    const fields = { level: "warn", stage: "formatter", error_class: "TypeError" };
    const thrown = new TypeError(`cannot read ${SECRET}`);
    expect(logEntryOf(faultOf(thrown, "read_file"))).toEqual({
      message: "Tool contract degraded",
      fields: { ...fields, tool_name: "read_file" },
    });
    expect(logEntryOf(faultOf(thrown))?.fields).toEqual(fields);
  });

  test("holds no text of the arguments, whatever the errors carry", () => {
    const sloppy: CallRefused = {
      ...refused,
      errors: errors.map((error) => ({ ...error, path: error.fieldPath, code: error.errorCode })),
    };
    const lines = [
      refused,
      sloppy,
      { ...sloppy, status: "blocked" as const },
      faultOf(new Error(SECRET, { cause: SECRET })),
      faultOf(SECRET),
    ].map(written);
    expect(lines.join("\n")).not.toContain("sk-live");
  });

  test("has no line for calls that are merely valid, and for faults that were logged before", () => {
    const admitted: Report = {
      kind: "admitted",
      call,
      checked: { advisories: [] },
      isRepaired: false,
    };
    const again = { ...faultOf(SECRET), isFirst: false } as Report;
    expect([logEntryOf(admitted), logEntryOf(again)]).toEqual([undefined, undefined]);
  });
});

test.each([
  ["a name of several lines", "a\nb\u2028c\u0085", String.raw`a\nb\u2028c\u0085`],
  [
    "a name that commands a terminal",
    "\u009b2J\u001b[2J\u202e",
    String.raw`\u009b2J\u001b[2J\u202e`,
  ],
  ["a name without end", "n".repeat(100_000), `${"n".repeat(125)}...`],
])("%s is short and harmless in the log, for loggers of one's own too", (_, toolName, shown) => {
  const report = { ...refused, call: { ...call, toolName } };
  expect(logEntryOf(report)?.fields.tool_name).toBe(shown);
  expect(written(report)).toMatch(/^[ -~]{1,500}$/);
});

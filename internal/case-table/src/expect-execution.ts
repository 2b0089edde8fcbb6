import type { CaseCall, ExpectedExecution, Style } from "./conformance-case.ts";
import type { Expect } from "./expect.ts";
import type { CallReport, ReadMessage } from "./harness.ts";
import { outputOf } from "./output-of.ts";

const TEXTS = { standard: "text", compact: "compact" } as const;

/** Expects that the call ran with the row's arguments and that the model reads the tool's own result. */
export function expectExecution(
  expect: Expect,
  report: CallReport,
  call: CaseCall,
  expected: ExpectedExecution,
  style: Style,
  parseRejection: (text: unknown) => ReadMessage | undefined,
): void {
  const { content } = report;
  expect(report).toMatchObject({
    id: call.id,
    outcome: "executed",
    isError: expected.failed ?? call.fails ?? false,
    ran: true,
  });
  expect(parseRejection(content)).toBeUndefined();
  // Each host wraps the error of a failed tool in its own way.
  if (call.fails) expect(content).toContain(outputOf(call));
  else expect(content).toBe(expected[TEXTS[style]] ?? outputOf(call));
  expect(report.input).toEqual(expected.input ?? JSON.parse(call.arguments));
}

import type { CaseCall, CaseOptions, ExpectedRefusal, Style } from "./conformance-case.ts";
import type { Expect } from "./expect.ts";
import type { CallReport, ReadError, ReadMessage } from "./harness.ts";

const MAX_LENGTH = 2000;
const MAX_ATTEMPTS = 3;

/** Everything needed to check the answer to a call that must not run. */
export interface RefusalCheck {
  readonly call: CaseCall;
  readonly expected: ExpectedRefusal;
  readonly options: CaseOptions;
  readonly style: Style;
  readonly parseRejection: (text: unknown) => ReadMessage | undefined;
}

/** Expects that the call never ran and that its answer has everything in the row. */
export function expectRefusal(expect: Expect, report: CallReport, check: RefusalCheck): void {
  const { call, expected, options, style } = check;
  const { content } = report;
  if (expected.skipped !== undefined) {
    expect(report).toMatchObject({ id: call.id, isError: true, ran: false });
    expect(content).toBe(expected.skipped);
    return;
  }
  expect(report).toMatchObject({
    id: call.id,
    outcome: expected.outcome,
    isError: true,
    ran: expected.ran ?? false,
  });
  expect(content.length).toBeLessThanOrEqual(options.format?.maxLength ?? MAX_LENGTH);
  const exact = style === "standard" ? expected.text : expected.compact;
  if (exact !== undefined) expect(content).toBe(exact);
  const message = check.parseRejection(content);
  expect(message ? digest(message) : content).toEqual({
    lane: expected.lane ?? "validation",
    status: expected.outcome,
    toolName: call.tool,
    style,
    attempt: expected.attempt,
    maxAttempts: attemptsOf(expected, options),
    settled: expected.settled ?? false,
    codes: expected.codes,
    hidden: expected.hidden ?? 0,
    repeats: expected.repeats,
    advisories: expected.advisories ?? [],
    earlier: expected.earlier ?? [],
  });
}

/** How many attempts a tool has in the lane of a refusal. */
export function attemptsOf(
  { lane }: Pick<ExpectedRefusal, "lane">,
  { maxAttempts, guardrails }: CaseOptions,
): number {
  return (lane ? guardrails?.lanes[lane] : maxAttempts) ?? MAX_ATTEMPTS;
}

function digest(message: ReadMessage): object {
  const { lane, status, toolName, style, attempt, maxAttempts, settled } = message;
  return {
    lane,
    status,
    toolName,
    style,
    attempt,
    maxAttempts,
    settled,
    codes: message.errors.map(placeOf),
    hidden: message.hiddenErrors,
    repeats: message.repeats,
    advisories: message.advisories.map(placeOf),
    earlier: message.earlier.map((line) => line.attempt),
  };
}

function placeOf({ errorCode, fieldPath }: ReadError): string {
  return `${errorCode} ${fieldPath === "" ? "(arguments)" : fieldPath}`;
}

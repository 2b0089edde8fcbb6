import type { CaseCall, CaseTool, CaseTurn, ConformanceCase } from "./conformance-case.ts";
import type { Expect } from "./expect.ts";
import { attemptsOf } from "./expect-refusal.ts";
import type { Observers, SeenEscalation } from "./harness.ts";
import type { Recorder } from "./recording/index.ts";

const UNKNOWN_TOOL = "(unknown)";
// A shorter string may be in a log by chance: "a" is part of many tools' names.
const SHORTEST_VALUE = 6;

/** One entry of the log. */
interface SeenEntry {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** What a contract logged and escalated during one case. */
export interface Observed {
  readonly observers: Observers;
  readonly entries: readonly SeenEntry[];
  readonly escalations: readonly SeenEscalation[];
}

/** Starts observing a contract; a recorder gets everything too. */
export function observe(recorder?: Recorder): Observed {
  const entries: SeenEntry[] = [];
  const escalations: SeenEscalation[] = [];
  return {
    entries,
    escalations,
    observers: {
      logger: (fields, message) => {
        entries.push({ fields: fields as SeenEntry["fields"], message });
        recorder?.add("log", { fields, message });
      },
      onEscalation: (escalation) => {
        escalations.push(escalation);
        recorder?.add("event", { name: "onEscalation", escalation });
      },
      ...(recorder && { telemetry: recorder.telemetry }),
    },
  };
}

/** Expects one log entry for every rejected call, and no argument value in any entry. */
export function expectLogs(expect: Expect, { entries }: Observed, testCase: ConformanceCase): void {
  const { tools, turns, options } = testCase;
  const calls = turns.flatMap((turn) => turn.calls);
  const declared = new Set(tools.map((tool) => tool.name));
  const refused = calls.flatMap(({ tool, expected }) => {
    if (expected.outcome === "executed" || expected.skipped !== undefined) return [];
    const maxAttempts = attemptsOf(expected, options ?? {});
    const { outcome, attempt, codes, hidden = 0 } = expected;
    const label = declared.has(tool) ? tool : (expected.countsAs ?? UNKNOWN_TOOL);
    const count = codes.length + hidden;
    return [`${outcome} ${label} ${attempt}/${maxAttempts} ${count} ${codes[0]?.slice(0, 7)}`];
  });
  const failures = entries.filter(({ fields }) => "max_retries" in fields);
  expect(failures.map((entry) => digest(expect, entry)).toSorted()).toEqual(refused.toSorted());
  const logged = JSON.stringify(entries);
  for (const value of calls.flatMap((call) => valuesOf(call, tools))) {
    expect(logged).not.toContain(JSON.stringify(value).slice(1, -1));
  }
}

function digest(expect: Expect, { fields, message }: SeenEntry): string {
  const { level, tool_name, retry_attempt, max_retries, error_count, errors } = fields;
  expect(level).toBe("warn");
  const outcome = message.includes("blocked") ? "blocked" : "rejected";
  const [first] = errors as readonly { readonly path: string; readonly code: string }[];
  expect(first?.path).toMatch(/^(?:\/|$)/);
  const attempt = [retry_attempt, max_retries].join("/");
  return [outcome, tool_name, attempt, error_count, first?.code].join(" ");
}

/** The strings that a call sent and no schema declares. */
function valuesOf({ arguments: text }: CaseCall, tools: readonly CaseTool[]): readonly string[] {
  const known = JSON.stringify(tools);
  const values: string[] = [];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === "string") values.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return values.filter((value) => value.length >= SHORTEST_VALUE && !known.includes(value));
}

/**
 * Expects an escalation for every turn that used up a tool's last attempt, and no other.
 *
 * A host that keeps nothing between calls cannot know of parallel calls, so each of them may escalate.
 */
export function expectEscalations(
  expect: Expect,
  { escalations }: Observed,
  testCase: ConformanceCase,
): void {
  const spent = testCase.turns.flatMap(spentTools);
  const escalated = escalations.map(({ toolCall }) => toolCall.id);
  expect(new Set(escalated).size).toBe(escalated.length);
  expect(spent.flat()).toEqual(expect.arrayContaining(escalated));
  expect(spent.filter((ids) => !ids.some((id) => escalated.includes(id)))).toEqual([]);
  const typed = new Map(testCase.turns.flatMap(({ calls }) => calls).map(typedOf));
  for (const escalation of escalations) {
    const { status, attempts, maxAttempts, history, summary, outcome, toolCall } = escalation;
    const expected = typed.get(toolCall.id);
    if (expected) expect(outcome).toMatchObject(expected);
    expect(status).toBe("blocked");
    // A stage may close a tool before its attempts are spent.
    if (!testCase.options?.guardrails) expect(attempts).toBe(maxAttempts);
    expect(history.map((record) => record.attempt)).toEqual(
      Array.from({ length: attempts }, (_, index) => index + 1),
    );
    expect(summary).toMatch(
      /^Tool '.+' (?:validation|guardrail|outcome) failed after \d+ attempts?\.\n\nAttempt 1: /,
    );
  }
}

function typedOf({ id, expected }: CaseCall): readonly [string, object | undefined] {
  return [id, expected.outcome === "executed" ? undefined : expected.typed];
}

/** The ids of the calls with which a turn used up the last attempt, by tool. */
function spentTools({ calls }: CaseTurn): readonly (readonly string[])[] {
  const spent = calls.filter(
    ({ expected }) => expected.outcome === "blocked" && expected.settled !== true,
  );
  const names = [...new Set(spent.map((call) => call.tool))];
  return names.map((name) => spent.filter((call) => call.tool === name).map((call) => call.id));
}

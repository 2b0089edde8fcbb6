import { type Capability, needsOf } from "./capability.ts";
import { CASE_THEMES, CASES } from "./cases.ts";
import type {
  CaseGuardrails,
  CaseTurn,
  ConformanceCase,
  MadeGuardrails,
  Style,
} from "./conformance-case.ts";
import { expectExecution } from "./expect-execution.ts";
import { expectRefusal } from "./expect-refusal.ts";
import type { Expect } from "./expect.ts";
import { gapsBeyond } from "./gaps.ts";
import type { AdapterHarness, CallReport, CreateHarness, ReadMessage } from "./harness.ts";
import { expectEscalations, expectLogs, observe } from "./observed.ts";
import type { Recorder } from "./recording/index.ts";

export type { Capability } from "./capability.ts";
export type {
  CaseCall,
  CaseOptions,
  CaseTool,
  CaseTurn,
  ConformanceCase,
} from "./conformance-case.ts";
export type { Expect } from "./expect.ts";
export type { AdapterHarness, CallReport, SeenEscalation } from "./harness.ts";
export { outputOf } from "./output-of.ts";

// What runs a case, without a runner: vitest is in describe-adapter.ts.

/** What the table needs to know about an adapter besides its harness. */
export interface AdapterOptions {
  /** Core's own function, so that the same parser reads every adapter's messages. */
  readonly parseRejection: (text: unknown) => ReadMessage | undefined;
  /** Makes the guardrails of a case with the package's own functions. */
  readonly createGuardrails?: (given: CaseGuardrails) => MadeGuardrails;
  /** What the host cannot express, and why; the cases that need it are skipped with that reason. */
  readonly cannot?: Readonly<Partial<Record<Capability, string>>>;
}

/** A case in one style. */
export interface TableRow {
  readonly theme: string;
  readonly testCase: ConformanceCase;
  readonly style: Style;
  /** What the host cannot express of it; it is skipped if there is any. */
  readonly reasons: readonly string[];
}

/** Every case in every style that it has. */
export function tableRows({ cannot = {} }: Pick<AdapterOptions, "cannot">): readonly TableRow[] {
  return Object.entries(CASE_THEMES).flatMap(([theme, cases]) =>
    cases.flatMap((testCase) => {
      const reasons = needsOf(testCase).flatMap((need) => cannot[need] ?? []);
      return stylesOf(testCase).map((style) => ({ theme, testCase, style, reasons }));
    }),
  );
}

/** Gaps that no case needs, and reasons that say too little. */
export function unneededGaps({ cannot = {} }: Pick<AdapterOptions, "cannot">): readonly string[] {
  return gapsBeyond(CASES.flatMap(needsOf), cannot);
}

/** Runs a case on a new host and expects all that its row says. */
export async function runCase(
  expect: Expect,
  { testCase: row, style }: TableRow,
  createHarness: CreateHarness,
  { parseRejection, createGuardrails }: AdapterOptions,
  recorder?: Recorder,
): Promise<void> {
  const given = withStyle(row, style);
  const guardrails = given.guarded && createGuardrails?.(given.guarded);
  const testCase = guardrails ? { ...given, options: { ...given.options, guardrails } } : given;
  const { options = {}, secrets = [] } = testCase;
  const observed = observe(recorder);
  const harness = await createHarness(testCase, observed.observers);
  const outcomes: TurnOutcome[] = [];
  try {
    for (const turn of testCase.turns) {
      const run = async () => harness.runTurn(turn);
      const reports = await (recorder ? recorder.inTurn(run) : run());
      const judgesState = turn.committed !== undefined;
      const committed = judgesState ? await committedIn(harness, guardrails) : undefined;
      outcomes.push({ turn, reports, committed });
      for (const report of reports) recorder?.add("text", report);
      if (committed !== undefined) recorder?.add("text", { committed });
    }
  } finally {
    await harness.close?.();
  }
  for (const { turn, reports, committed } of outcomes) {
    expect(reports.map((report) => report.id)).toEqual(turn.calls.map((call) => call.id));
    for (const [index, call] of turn.calls.entries()) {
      const { expected } = call;
      const report = reports[index];
      if (report === undefined) throw new Error(`No report for call ${call.id}`);
      if (expected.outcome === "executed") {
        expectExecution(expect, report, call, expected, style, parseRejection);
      } else {
        expectRefusal(expect, report, { call, expected, options, style, parseRejection });
      }
      for (const secret of secrets) expect(report.content).not.toContain(secret);
    }
    // Exactly the changes of the calls that succeeded.
    expect(committed).toEqual(turn.committed);
  }
  expectLogs(expect, observed, testCase);
  expectEscalations(expect, observed, testCase);
  for (const secret of secrets) expect(JSON.stringify(observed.entries)).not.toContain(secret);
}

/** What came of a turn; all turns run before the first is judged, so that a recording has the whole case. */
interface TurnOutcome {
  readonly turn: CaseTurn;
  readonly reports: readonly CallReport[];
  readonly committed: unknown;
}

/** A copy of what is committed now. */
async function committedIn(
  harness: AdapterHarness,
  guardrails: MadeGuardrails | undefined,
): Promise<unknown> {
  const state = harness.committed ? await harness.committed() : guardrails?.store?.state;
  return structuredClone(state);
}

function stylesOf({ options }: ConformanceCase): readonly Style[] {
  const only = options?.format?.style;
  return only === undefined ? ["standard", "compact"] : [only];
}

function withStyle(testCase: ConformanceCase, style: Style): ConformanceCase {
  const { options } = testCase;
  return { ...testCase, options: { ...options, format: { ...options?.format, style } } };
}

import { describe, expect, test } from "vitest";
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
import type { AdapterHarness, CallReport, CreateHarness, ReadMessage } from "./harness.ts";
import { expectEscalations, expectLogs, observe } from "./observed.ts";
import { recordCase, type Recorder } from "./recording/index.ts";

/** What the table needs to know about an adapter besides its harness. */
export interface AdapterOptions {
  /** Core's own function, so that the same parser reads every adapter's messages. */
  readonly parseRejection: (text: unknown) => ReadMessage | undefined;
  /** Makes the guardrails of a case with the package's own functions. */
  readonly createGuardrails?: (given: CaseGuardrails) => MadeGuardrails;
  /** What the host cannot express, and why; the cases that need it are skipped with that reason. */
  readonly cannot?: Readonly<Partial<Record<Capability, string>>>;
  /** The styles that cases run in, both by default; older versions of a framework run one. */
  readonly styles?: readonly Style[];
}

declare module "vitest" {
  interface TaskMeta {
    /** Which case runs in which host; `pnpm test` counts both. */
    conformance?: { readonly case: string; readonly host: string };
  }
}

const inThemes = Object.entries(CASE_THEMES).flatMap(([theme, cases]) =>
  cases.map((testCase) => [theme, testCase] as const),
);

/** Registers one test for every case and style; each adapter runs the same table. */
export function describeAdapter(
  name: string,
  createHarness: CreateHarness,
  options: AdapterOptions,
): void {
  const { cannot = {}, styles = ["standard", "compact"] } = options;
  describe(`${name} keeps the contract`, () => {
    for (const [theme, testCase] of inThemes) {
      for (const style of stylesOf(testCase, styles)) {
        test(`${testCase.name} [${style}]`, async (context) => {
          context.task.meta.conformance = { case: testCase.name, host: name };
          const reasons = needsOf(testCase).flatMap((need) => cannot[need] ?? []);
          if (reasons.length > 0) return context.skip(reasons.join("; "));
          expect.hasAssertions();
          await recordCase({ host: name, theme, name: context.task.name }, async (recorder) =>
            expectCase(withStyle(testCase, style), style, createHarness, options, recorder),
          );
        });
      }
    }

    test("declares only gaps that a case needs, each with a reason", () => {
      const needed = new Set<string>(CASES.flatMap(needsOf));
      expect(Object.keys(cannot).filter((gap) => !needed.has(gap))).toEqual([]);
      expect(Object.values(cannot).filter((reason) => reason.trim().length < 20)).toEqual([]);
    });
  });
}

function stylesOf({ options }: ConformanceCase, styles: readonly Style[]): readonly Style[] {
  const only = options?.format?.style;
  return only === undefined ? styles : [only];
}

function withStyle(testCase: ConformanceCase, style: Style): ConformanceCase {
  const { options } = testCase;
  return { ...testCase, options: { ...options, format: { ...options?.format, style } } };
}

async function expectCase(
  given: ConformanceCase,
  style: Style,
  createHarness: CreateHarness,
  { parseRejection, createGuardrails }: AdapterOptions,
  recorder: Recorder | undefined,
): Promise<void> {
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
        expectExecution(report, call, expected, style, parseRejection);
      } else {
        expectRefusal(report, { call, expected, options, style, parseRejection });
      }
      for (const secret of secrets) expect(report.content).not.toContain(secret);
    }
    // Exactly the changes of the calls that succeeded.
    expect(committed).toEqual(turn.committed);
  }
  expectLogs(observed, testCase);
  expectEscalations(observed, testCase);
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

import { describe, expect, test } from "vitest";
import { type Capability, needsOf } from "./capability.ts";
import { CASES } from "./cases.ts";
import type {
  CaseGuardrails,
  CaseTurn,
  ConformanceCase,
  MadeGuardrails,
  Style,
} from "./conformance-case.ts";
import { expectExecution } from "./expect-execution.ts";
import { expectRefusal } from "./expect-refusal.ts";
import type { AdapterHarness, CreateHarness, ReadMessage } from "./harness.ts";
import { expectEscalations, expectLogs, observe } from "./observed.ts";

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

/** Registers one test for every case and style; each adapter runs the same table. */
export function describeAdapter(
  name: string,
  createHarness: CreateHarness,
  options: AdapterOptions,
): void {
  const { cannot = {}, styles = ["standard", "compact"] } = options;
  describe(`${name} keeps the contract`, () => {
    for (const testCase of CASES) {
      for (const style of stylesOf(testCase, styles)) {
        test(`${testCase.name} [${style}]`, async (context) => {
          context.task.meta.conformance = { case: testCase.name, host: name };
          const reasons = needsOf(testCase).flatMap((need) => cannot[need] ?? []);
          if (reasons.length > 0) return context.skip(reasons.join("; "));
          expect.hasAssertions();
          await expectCase(withStyle(testCase, style), style, createHarness, options);
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
): Promise<void> {
  const guardrails = given.guarded && createGuardrails?.(given.guarded);
  const testCase = guardrails ? { ...given, options: { ...given.options, guardrails } } : given;
  const { options = {}, secrets = [] } = testCase;
  const observed = observe();
  const harness = await createHarness(testCase, observed.observers);
  try {
    for (const turn of testCase.turns) {
      const reports = await harness.runTurn(turn);
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
      await expectCommitted(turn, harness, guardrails);
    }
  } finally {
    await harness.close?.();
  }
  expectLogs(observed, testCase);
  expectEscalations(observed, testCase);
  for (const secret of secrets) expect(JSON.stringify(observed.entries)).not.toContain(secret);
}

/** Expects that exactly the changes of the calls that succeeded are committed. */
async function expectCommitted(
  { committed }: CaseTurn,
  harness: AdapterHarness,
  guardrails: MadeGuardrails | undefined,
): Promise<void> {
  if (committed === undefined) return;
  const state = harness.committed ? await harness.committed() : guardrails?.store?.state;
  expect(state).toEqual(committed);
}

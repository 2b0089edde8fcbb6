import { describe, expect, test } from "vitest";
import { type Capability, needsOf } from "./capability.ts";
import { CASES } from "./cases.ts";
import type { ConformanceCase, Style } from "./conformance-case.ts";
import { expectExecution } from "./expect-execution.ts";
import { expectRefusal } from "./expect-refusal.ts";
import type { CreateHarness, ReadMessage } from "./harness.ts";
import { expectEscalations, expectLogs, observe } from "./observed.ts";

/** What the table needs to know of an adapter beside its harness. */
export interface AdapterOptions {
  /** Core's own function, so that every adapter is read by the same parser. */
  readonly parseRejection: (text: unknown) => ReadMessage | undefined;
  /** What the host cannot express, with the reason; the cases that need it are reported as skipped with it. */
  readonly cannot?: Readonly<Partial<Record<Capability, string>>>;
}

/** Registers one test for every case and style; each adapter runs the same table. */
export function describeAdapter(
  name: string,
  createHarness: CreateHarness,
  { parseRejection, cannot = {} }: AdapterOptions,
): void {
  describe(`${name} keeps the contract`, () => {
    for (const testCase of CASES) {
      for (const style of stylesOf(testCase)) {
        test(`${testCase.name} [${style}]`, async (context) => {
          const reasons = needsOf(testCase).flatMap((need) => cannot[need] ?? []);
          if (reasons.length > 0) return context.skip(reasons.join("; "));
          expect.hasAssertions();
          await expectCase(withStyle(testCase, style), style, createHarness, parseRejection);
        });
      }
    }

    test("declares no gap that no case needs, and none without a reason", () => {
      const needed = new Set<string>(CASES.flatMap(needsOf));
      expect(Object.keys(cannot).filter((gap) => !needed.has(gap))).toEqual([]);
      expect(Object.values(cannot).filter((reason) => reason.trim().length < 20)).toEqual([]);
    });
  });
}

function stylesOf({ options }: ConformanceCase): readonly Style[] {
  const only = options?.format?.style;
  return only === undefined ? ["standard", "compact"] : [only];
}

function withStyle(testCase: ConformanceCase, style: Style): ConformanceCase {
  const { options } = testCase;
  return { ...testCase, options: { ...options, format: { ...options?.format, style } } };
}

async function expectCase(
  testCase: ConformanceCase,
  style: Style,
  createHarness: CreateHarness,
  parseRejection: AdapterOptions["parseRejection"],
): Promise<void> {
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
    }
  } finally {
    await harness.close?.();
  }
  expectLogs(observed, testCase);
  expectEscalations(observed, testCase);
  for (const secret of secrets) expect(JSON.stringify(observed.entries)).not.toContain(secret);
}

import { describe, expect, test } from "vitest";
import { expectRun } from "./expect-run.ts";
import { type SessionNeed, sessionNeedsOf } from "./needs.ts";
import { withoutNonce } from "./nonce.ts";
import { recordCase, type Recorder } from "../recording/index.ts";
import type { SeenResult } from "./seen.ts";
import type { SessionCase } from "./session-case.ts";
import { SESSION_THEMES, SESSIONS } from "./sessions.ts";
import { createWorld, type Observation, type WorldHost } from "./world.ts";
import { type Share, shareOf } from "../whole.ts";

/** A host, and what it cannot do. */
export interface SessionHost extends WorldHost {
  /** What the host cannot express, and why; the rows that need it are skipped with that reason. */
  readonly cannot?: Readonly<Partial<Record<SessionNeed, string>>>;
  /** How many of the rows it runs; all by default. */
  readonly share?: Share;
}

const inThemes = Object.entries(SESSION_THEMES).flatMap(([theme, cases]) =>
  cases.map((testCase) => ({ theme, testCase })),
);

/** Registers a test for every row that this run takes; each host of a session runs the same table. */
export function describeSessions(name: string, host: SessionHost): void {
  const { cannot = {}, share = "every style" } = host;
  describe(`${name} keeps sessions within their limits`, () => {
    for (const { theme, testCase } of shareOf(inThemes, name, share)) {
      test(`${testCase.name} [${testCase.clause}]`, async (context) => {
        context.task.meta.conformance = { case: `session: ${testCase.name}`, host: name };
        const reasons = sessionNeedsOf(testCase).flatMap((need) => cannot[need] ?? []);
        if (reasons.length > 0) return context.skip(reasons.join("; "));
        expect.hasAssertions();
        const place = { host: name, theme: `session-${theme}`, name: context.task.name };
        await recordCase(place, async (recorder) => expectSession(testCase, host, recorder));
      });
    }

    test("declares only gaps that a row needs, each with a reason", () => {
      const needed = new Set<string>(SESSIONS.flatMap(sessionNeedsOf));
      expect(Object.keys(cannot).filter((gap) => !needed.has(gap))).toEqual([]);
      expect(Object.values(cannot).filter((reason) => reason.trim().length < 20)).toEqual([]);
    });
  });
}

async function expectSession(
  testCase: SessionCase,
  host: SessionHost,
  recorder: Recorder | undefined,
): Promise<void> {
  const { world, seen } = createWorld(testCase, host);
  const run = host.create(world);
  const { runs = 1, options = {} } = testCase;
  const all = await Promise.all(Array.from({ length: runs }, async () => run()));
  const results = options.transport ? all.map(withoutNonce) : all;
  if (recorder) record(recorder, seen, results);
  expectRun(testCase, seen, results);
}

function record(recorder: Recorder, seen: Observation, results: readonly SeenResult[]): void {
  const { requests, events, inner, ran, ...counts } = seen;
  for (const request of requests) recorder.add("text", { request });
  for (const { success, error, finalReport, accounting, conversation } of [...results, ...inner]) {
    recorder.add("text", { result: { success, error, finalReport, conversation } });
    for (const entry of accounting) recorder.add("entry", entry);
  }
  for (const event of events) recorder.add("event", event);
  recorder.add("counter", { name: "session", ran: ran.toSorted(), ...counts });
}

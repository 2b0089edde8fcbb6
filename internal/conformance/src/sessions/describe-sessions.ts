import { describe, expect, test } from "vitest";
import { expectRun } from "./expect-run.ts";
import { type SessionNeed, sessionNeedsOf } from "./needs.ts";
import { withoutNonce } from "./nonce.ts";
import { SESSIONS } from "./sessions.ts";
import { createWorld, type WorldHost } from "./world.ts";

/** A host, and what it cannot do. */
export interface SessionHost extends WorldHost {
  /** What the host cannot express, and why; the rows that need it are skipped with that reason. */
  readonly cannot?: Readonly<Partial<Record<SessionNeed, string>>>;
}

/** Registers one test for every row; each host of a session runs the same table. */
export function describeSessions(name: string, host: SessionHost): void {
  const { cannot = {} } = host;
  describe(`${name} keeps sessions within their limits`, () => {
    for (const testCase of SESSIONS) {
      test(`${testCase.name} [${testCase.clause}]`, async (context) => {
        context.task.meta.conformance = { case: `session: ${testCase.name}`, host: name };
        const reasons = sessionNeedsOf(testCase).flatMap((need) => cannot[need] ?? []);
        if (reasons.length > 0) return context.skip(reasons.join("; "));
        expect.hasAssertions();
        const { world, seen } = createWorld(testCase, host);
        const run = host.create(world);
        const { runs = 1, options = {} } = testCase;
        const results = await Promise.all(Array.from({ length: runs }, async () => run()));
        expectRun(testCase, seen, options.transport ? results.map(withoutNonce) : results);
      });
    }

    test("declares only gaps that a row needs, each with a reason", () => {
      const needed = new Set<string>(SESSIONS.flatMap(sessionNeedsOf));
      expect(Object.keys(cannot).filter((gap) => !needed.has(gap))).toEqual([]);
      expect(Object.values(cannot).filter((reason) => reason.trim().length < 20)).toEqual([]);
    });
  });
}

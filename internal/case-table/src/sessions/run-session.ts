import type { Expect } from "../expect.ts";
import { gapsBeyond } from "../gaps.ts";
import type { Recorder } from "../recording/index.ts";
import { expectRun } from "./expect-run.ts";
import { type SessionNeed, sessionNeedsOf } from "./needs.ts";
import { withoutNonce } from "./nonce.ts";
import type { SeenResult } from "./seen.ts";
import type { SessionCase } from "./session-case.ts";
import { SESSION_THEMES, SESSIONS } from "./sessions.ts";
import { createWorld, type Observation, type WorldHost } from "./world.ts";

export type { SessionNeed } from "./needs.ts";
export type { SeenMessage, SeenRequest, SeenResult } from "./seen.ts";
export type { CallInReply, CaseError, CaseReply } from "./session-case.ts";
export type { World, WorldHost, WorldTarget, WorldTool } from "./world.ts";

// What runs a row, without a runner: vitest is in describe-sessions.ts.

/** A host of sessions, and what it cannot do. */
export interface SessionHost extends WorldHost {
  /** What the host cannot express, and why; the rows that need it are skipped with that reason. */
  readonly cannot?: Readonly<Partial<Record<SessionNeed, string>>>;
}

/** A row of the table of sessions. */
export interface SessionRow {
  readonly theme: string;
  readonly testCase: SessionCase;
  /** What the host cannot express of it; it is skipped if there is any. */
  readonly reasons: readonly string[];
}

/** Every row, with what the host cannot do of it. */
export function sessionRows({ cannot = {} }: Pick<SessionHost, "cannot">): readonly SessionRow[] {
  return Object.entries(SESSION_THEMES).flatMap(([theme, cases]) =>
    cases.map((testCase) => {
      const reasons = sessionNeedsOf(testCase).flatMap((need) => cannot[need] ?? []);
      return { theme, testCase, reasons };
    }),
  );
}

/** Gaps that no row needs, and reasons that say too little. */
export function unneededSessionGaps({
  cannot = {},
}: Pick<SessionHost, "cannot">): readonly string[] {
  return gapsBeyond(SESSIONS.flatMap(sessionNeedsOf), cannot);
}

/** Runs a row on a new session and expects all that it says. */
export async function runSession(
  expect: Expect,
  { testCase }: SessionRow,
  host: WorldHost,
  recorder?: Recorder,
): Promise<void> {
  const { world, seen } = createWorld(testCase, host, { ...(recorder && { recorder }) });
  const run = host.create(world);
  const { runs = 1, options = {} } = testCase;
  const all = await Promise.all(Array.from({ length: runs }, async () => run()));
  const results = options.transport ? all.map(withoutNonce) : all;
  if (recorder) record(recorder, seen, results);
  expectRun(expect, testCase, seen, results);
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

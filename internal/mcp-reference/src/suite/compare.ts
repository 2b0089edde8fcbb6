import type { Check } from "./check.ts";
import { fluctuates, reasonFor } from "./known-failures.ts";
import type { Route, Row } from "./matrix.ts";
import { badChecks, lostChecks, tally } from "./outcome.ts";

/** A row of the table with the results of its runs. */
export interface ComparedRow {
  readonly subject: string;
  readonly revision: string;
  /** Passed and failed checks. */
  readonly direct: string;
  readonly through: Readonly<Partial<Record<Route, string>>>;
  /** Checks that pass directly but not through the route. */
  readonly lost: Readonly<Partial<Record<Route, readonly string[]>>>;
  /** Checks that pass through the route but not directly. */
  readonly gained: Readonly<Partial<Record<Route, readonly string[]>>>;
  /** What fails directly, by reason; unexplained failures are under "". */
  readonly failing: Readonly<Record<string, readonly string[]>>;
}

/** Runs a row and compares every route with the direct run. */
export async function compareRow(row: Row): Promise<ComparedRow> {
  const direct = await row.direct();
  const through: Partial<Record<Route, string>> = {};
  const lost: Partial<Record<Route, readonly string[]>> = {};
  const gained: Partial<Record<Route, readonly string[]>> = {};
  for (const [route, run] of Object.entries(row.through) as [Route, () => Promise<Check[]>][]) {
    const checks = await run();
    through[route] = tally(checks);
    gained[route] = lostChecks(checks, direct);
    lost[route] = lostChecks(direct, checks).filter((check) => !fluctuates(row, check));
  }
  const { subject, revision } = row;
  return {
    subject,
    revision,
    direct: tally(direct),
    through,
    lost,
    gained,
    failing: failing(row, direct),
  };
}

function failing(row: Row, direct: readonly Check[]): Record<string, string[]> {
  const byReason: Record<string, string[]> = {};
  for (const check of badChecks(direct)) {
    (byReason[reasonFor(row, check) ?? ""] ??= []).push(check);
  }
  return byReason;
}

/** What is wrong with a row; empty if nothing is. */
export function faultsOf({ subject, revision, lost, failing: byReason }: ComparedRow): string[] {
  const where = `${subject}, ${revision}`;
  const gone = Object.entries(lost).flatMap(([route, checks]) =>
    checks.map((check) => `${where}: lost through the ${route}: ${check}`),
  );
  const unexplained = byReason[""] ?? [];
  return [...gone, ...unexplained.map((check) => `${where}: fails directly: ${check}`)];
}

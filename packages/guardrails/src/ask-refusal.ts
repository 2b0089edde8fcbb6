import type { StageRefusal, StageReports, StagedCall } from "@toolcontract/core/stage";
import { refusalOf } from "./answers.ts";
import type { Closings } from "./closings.ts";
import type { TracedCall } from "./trace/index.ts";
import {
  type Engine,
  type Found,
  type ObservedEnd,
  requestFor,
  violatedBy,
  withoutRun,
} from "./transaction/index.ts";

type AskedAbout = Parameters<typeof requestFor>[0];

/** The answer to a call that waits for a person; if nobody can be asked about it, it is refused. */
export function askRefusal(
  call: AskedAbout,
  found: readonly Found[],
  reports: StageReports,
  grants: Engine["grants"],
): StageRefusal {
  const request = requestFor(call, found, grants);
  if (request === undefined) return refusalOf(call.tool, withoutRun(violatedBy(found)), reports);
  return { action: "ask", lane: "guardrail", errors: found.map(({ error }) => error), request };
}

/** Reports what would have been refused or asked, and remembers what would have closed the tool. */
export function observing(
  request: TracedCall & AskedAbout,
  observe: NonNullable<StagedCall["observe"]>,
  reports: StageReports,
  { closings, engine }: { readonly closings: Closings; readonly engine: Engine },
): (end: ObservedEnd) => Promise<void> {
  return async (end) => {
    if (end.kind === "closing") return closings.close(request, end.failure.terminal);
    if (end.kind === "asked") {
      return observe(askRefusal(request, end.found, reports, engine.grants));
    }
    if (end.lane === "guardrail") await closings.refused(request);
    return observe(refusalOf(request.tool, end, reports));
  };
}

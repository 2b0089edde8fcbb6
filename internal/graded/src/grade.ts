import {
  type Check,
  type ConformanceReport,
  runConformance,
  type Scenario,
} from "@toolcontract/conformance";
import { readKit } from "./kit.ts";
import { programOf, type Subject } from "./subjects.ts";

/** One program of a framework, and what it came to. */
export interface Grade {
  readonly subject: Subject;
  readonly kind: Subject["kinds"][number];
  readonly checks: readonly Check[];
}

/** Grades one program of a framework in this process: loading it again for each scenario would take most of the time. */
export async function grade(
  subject: Subject,
  kind: Subject["kinds"][number],
  scenarios?: readonly Scenario[],
): Promise<Grade> {
  const program = await programOf(subject.framework, kind);
  const report: ConformanceReport = await runConformance({
    program: async (environment) => program(await readKit(environment)),
    api: subject.api,
    // What a program leaves open does not keep it from ending, as it would in a process of its own.
    graceTime: 500,
    ...(scenarios && { scenarios }),
  });
  return { subject, kind, checks: report.checks };
}

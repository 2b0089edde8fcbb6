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
  /** The same with streams; undefined if the program asks for none. */
  readonly streamed?: readonly Check[];
}

/** Far longer than any program takes that comes to an end. */
const TIME_LIMIT = 20_000;

/** Grades one program of a framework by all scenarios, and again with streams. */
export async function grade(subject: Subject, kind: Subject["kinds"][number]): Promise<Grade> {
  const { checks } = await play(subject, kind, false);
  const streamed = await play(subject, kind, true);
  return { subject, kind, checks, ...(streamed.hasStreamed && { streamed: streamed.checks }) };
}

/** Plays scenarios in this process: loading a framework again for each of them would take most of the time. */
export async function play(
  { framework, api, timeLimit = TIME_LIMIT, answers }: Subject,
  kind: Subject["kinds"][number],
  stream: boolean,
  scenarios?: readonly Scenario[],
): Promise<ConformanceReport> {
  const program = await programOf(framework, kind);
  return runConformance({
    program: async (environment) => program(await readKit(environment)),
    api,
    stream,
    timeLimit,
    // What a program leaves open does not keep it from ending, as it would in a process of its own.
    graceTime: 500,
    ...(answers && { level: "L5" as const }),
    ...(scenarios && { scenarios }),
  });
}

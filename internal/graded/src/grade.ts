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

/** How many requests a program made of the model in each scenario, streamed or not. */
export async function requestsOf(
  subject: Subject,
  kind: Subject["kinds"][number],
  scenarios: readonly Scenario[],
  stream: boolean,
): Promise<ReadonlyMap<string, number>> {
  const program = await programOf(subject.framework, kind);
  const made = new Map<string, number>();
  await runConformance({
    program: async (environment) => program(await readKit(environment)),
    api: subject.api,
    stream,
    scenarios,
    timeLimit: TIME_LIMIT,
    graceTime: 500,
    onScenario: ({ id }, _checks, requests) => void made.set(id, requests),
  });
  return made;
}

/** Far longer than any program takes that comes to an end. */
const TIME_LIMIT = 20_000;

/**
 * Grades one program of a framework in this process: loading it again for each scenario would take most of the time.
 *
 * @param share - The scenarios to play, without streams; otherwise all, and again with streams.
 */
export async function grade(
  subject: Subject,
  kind: Subject["kinds"][number],
  share?: readonly Scenario[],
): Promise<Grade> {
  const program = await programOf(subject.framework, kind);
  const play = async (stream: boolean): Promise<ConformanceReport> =>
    runConformance({
      program: async (environment) => program(await readKit(environment)),
      api: subject.api,
      stream,
      timeLimit: subject.timeLimit ?? TIME_LIMIT,
      // What a program leaves open does not keep it from ending, as it would in a process of its own.
      graceTime: 500,
      ...(subject.answers && { level: "L5" as const }),
      ...(share && { scenarios: share }),
    });
  const { checks } = await play(false);
  if (share) return { subject, kind, checks };
  const streamed = await play(true);
  return { subject, kind, checks, ...(streamed.hasStreamed && { streamed: streamed.checks }) };
}

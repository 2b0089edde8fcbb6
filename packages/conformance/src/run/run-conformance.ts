import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type ScenarioJudgement, judgeScenario } from "../judge/index.ts";
import { commandProgram, playScenario, type Program, startKitServer } from "../play/index.ts";
import { SCENARIOS } from "../scenarios/index.ts";
import type { Api, Check, Level, Scenario } from "../shared/index.ts";
import { FORMATS } from "../wire/index.ts";

/**
 * What {@link runConformance} plays, and against what.
 *
 * @example
 * ```ts
 * const options: ConformanceOptions = { program: "node agent.ts", level: "L1", concurrency: 2 };
 * ```
 * @see docs/conformance.md
 */
export interface ConformanceOptions {
  /** A command line that is started once for each scenario, or a function that is called instead. */
  readonly program: string | Program;
  /**
   * The wire format that the program's model speaks.
   *
   * @default "openai-chat"
   */
  readonly api?: Api;
  /**
   * Tells the program to ask for streams; a request is always answered as it asks.
   *
   * @default false
   */
  readonly stream?: boolean;
  /**
   * What is played.
   *
   * @default all scenarios that the format can carry
   */
  readonly scenarios?: readonly Scenario[];
  /**
   * The highest level. The scenarios of `"L5"` are played only if it is asked for: the program then takes the schema of a final answer.
   *
   * @default "L4" if the program speaks Toolcontract's format, otherwise "L3"
   */
  readonly level?: Level;
  /**
   * How long the program may take for one scenario, in milliseconds.
   *
   * @default 60000
   */
  readonly timeLimit?: number;
  /**
   * How long it may go on after the model has said that it is done, in milliseconds.
   *
   * @default 5000
   */
  readonly graceTime?: number;
  /**
   * How many scenarios are played at once.
   *
   * @default the number of processors
   */
  readonly concurrency?: number;
  /** Ends the run early; what was not played then has no checks. */
  readonly signal?: AbortSignal;
  /** Called with the checks of each scenario as it ends, in the order in which they end. */
  readonly onScenario?: (scenario: Scenario, checks: readonly Check[]) => void;
}

/** The result of a program. */
export interface ConformanceReport {
  /** One check for each clause of each scenario that was played, in the order of the scenarios. */
  readonly checks: readonly Check[];
  /** The ids of the scenarios that the format cannot carry. */
  readonly unplayable: readonly string[];
  /** False if streams were wanted and the program never asked for one. */
  readonly hasStreamed: boolean;
}

/**
 * Plays the scenarios against a program and judges what it sends to the model.
 *
 * @remarks It never rejects for what the program does; it rejects if it cannot listen on loopback or write to the folder for
 * temporary files.
 * @example
 * ```ts
 * const report = await runConformance({ program: "node my-agent.mjs" });
 * ```
 * @see packages/conformance/README.md
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { api = "openai-chat", stream: isStream = false, level, signal } = options;
  const format = FORMATS[api];
  const wanted = (options.scenarios ?? SCENARIOS).filter(
    ({ answer }) => answer === undefined || level === "L5",
  );
  const playable = wanted.filter(
    (scenario) => format.canPlay(scenario, isStream) && (isStream || !breaksOff(scenario)),
  );
  const program =
    typeof options.program === "string" ? commandProgram(options.program) : options.program;
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const server = await startKitServer();
  const judgements = new Map<string, ScenarioJudgement>();
  let hasStreamed = false;
  try {
    const { concurrency = availableParallelism(), timeLimit = 60_000, graceTime = 5_000 } = options;
    await inLanes(playable, concurrency, async (scenario) => {
      if (signal?.aborted) return;
      const played = { api, format, isStream, program, server, folder, timeLimit, graceTime };
      const transcript = await playScenario(scenario, { ...played, ...(signal && { signal }) });
      hasStreamed ||= transcript.requests.some((request) => request.isStream);
      const judgement = judgeScenario(scenario, transcript, format.hasErrorMark);
      judgements.set(scenario.id, judgement);
      options.onScenario?.(scenario, checksUpTo(judgement, level ?? "L4", judgement.speaksFormat));
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  const all = playable.flatMap(({ id }) => judgements.get(id) ?? []);
  const isFormat = all.some((one) => one.speaksFormat);
  const highest = level ?? (isFormat ? "L4" : "L3");
  return {
    checks: all.flatMap((one) => checksUpTo(one, highest, isFormat)),
    unplayable: wanted.filter((one) => !playable.includes(one)).map(({ id }) => id),
    hasStreamed: hasStreamed || !isStream,
  };
}

function checksUpTo(
  { checks, formatChecks }: ScenarioJudgement,
  highest: Level,
  isFormat: boolean,
): readonly Check[] {
  // Whoever asks for L5 asks for its own level, not for Toolcontract's format.
  const format = highest === "L5" && !isFormat ? [] : formatChecks;
  return [...checks, ...format].filter(({ level }) => level <= highest);
}

function breaksOff({ turns }: Scenario): boolean {
  return turns.some(({ drops }) => drops === true);
}

/** Runs the work on the items in order, at most so many at a time. */
async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const lane = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, lanes) }, lane));
}

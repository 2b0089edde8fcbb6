import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Api, ProgramEnd, Scenario, Transcript } from "../shared/index.ts";
import type { WireFormat } from "../wire/index.ts";
import { startRun } from "./kit-run.ts";
import { formatsOf, type KitServer } from "./kit-server.ts";
import type { Program } from "./program.ts";

/** What a scenario is played with. */
export interface PlayOptions {
  readonly api: Api;
  readonly format: WireFormat;
  readonly isStream: boolean;
  readonly program: Program;
  readonly server: KitServer;
  /** Where the file with the tools is written. */
  readonly folder: string;
  /** How long the program may take, in milliseconds. */
  readonly timeLimit: number;
  /** How long it may go on after the model has said that it is done, in milliseconds. */
  readonly graceTime: number;
  /** Ends the program early. */
  readonly signal?: AbortSignal;
}

/** Plays one scenario against one run of the program. */
export async function playScenario(scenario: Scenario, options: PlayOptions): Promise<Transcript> {
  const { api, format, isStream, program, server, folder, timeLimit } = options;
  const run = startRun(scenario);
  const place = server.add(run, format);
  const file = join(folder, `${scenario.id}.json`);
  await writeFile(file, JSON.stringify(scenario.tools));
  const answerFile =
    scenario.answer === undefined ? "" : join(folder, `${scenario.id}-answer.json`);
  if (answerFile !== "") await writeFile(answerFile, JSON.stringify(scenario.answer));
  const ended = new AbortController();
  const signals = [ended.signal, ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  const environment = {
    KIT_BASE_URL: place.baseUrl,
    KIT_TOOLS: file,
    KIT_RAN_URL: place.ranUrl,
    KIT_APPROVE_URL: place.approveUrl,
    KIT_ANSWER: answerFile,
    KIT_ANSWERED_URL: place.answeredUrl,
    KIT_PROMPT: scenario.prompt,
    KIT_SCENARIO: scenario.id,
    KIT_API: api,
    KIT_STREAM: isStream ? "1" : "",
  } as const;

  const byItself = program(environment, signal).then(
    (): ProgramEnd => ({ kind: "ended" }),
    (error: unknown): ProgramEnd => ({ kind: "failed", reason: reasonThrown(error) }),
  );
  const byLimit = async (): Promise<ProgramEnd> => {
    await wait(timeLimit, undefined, { signal: ended.signal });
    return { kind: "time", seconds: timeLimit / 1_000 };
  };
  const byGrace = async (): Promise<ProgramEnd> => {
    await once(run.done, "abort", { signal: ended.signal });
    // It has its answer, and may take a moment to close what it opened.
    await wait(options.graceTime, undefined, { signal: ended.signal });
    return { kind: "ended" };
  };
  const byCount = async (): Promise<ProgramEnd> => {
    await once(run.overrun, "abort", { signal: ended.signal });
    return { kind: "count" };
  };
  const limits = [byLimit(), byGrace(), byCount()].map(orNever);
  const end = await Promise.race([byItself, ...limits]);
  ended.abort();
  // A function that does not listen to the signal may never end.
  await Promise.race([byItself, wait(options.graceTime, undefined, { ref: false })]);
  place.remove();
  const transcript = run.transcript(end);
  if (transcript.requests.length > 0 || run.strays.size === 0) return transcript;
  return { ...transcript, end: { kind: "failed", reason: strayReason(run.strays, api) } };
}

/** A wait that the end of the run interrupts never settles. */
async function orNever(waiting: Promise<ProgramEnd>): Promise<ProgramEnd> {
  try {
    return await waiting;
  } catch {
    return new Promise(() => {});
  }
}

function strayReason(strays: ReadonlySet<string>, api: Api): string {
  const [other] = formatsOf(strays);
  const advice = other === undefined ? "" : `; pass --api ${other} for that`;
  return `it asked ${[...strays].join(", ")}, which ${api} does not have${advice}`;
}

function reasonThrown(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

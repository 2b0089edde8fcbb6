import { randomBytes } from "node:crypto";
import type { ProgramEnd, Scenario, SeenRequest, SeenRun, Transcript } from "../shared/index.ts";
import { type KitReply, scriptOf } from "./script.ts";

/** Requests that a program may send after the model has said that it is done. */
const SPARE_REQUESTS = 5;

/** One scenario as it is played: what the model says, and what the program has done so far. */
export interface KitRun {
  /** The reply to a request, and undefined once the program has sent too many. */
  reply(request: SeenRequest): KitReply | undefined;
  /** A tool ran; returns its result. */
  ran(body: string): object;
  /** The program has its final answer. */
  answered(body: string): object;
  /** A person is asked; returns the answer. */
  approve(body: string): object;
  /** A request that is not in the format that is played. */
  strayed(path: string): void;
  /** The paths of those requests. */
  readonly strays: ReadonlySet<string>;
  /** Aborted once the model has said all that it has to say. */
  readonly done: AbortSignal;
  /** Aborted if the program goes on asking long after that. */
  readonly overrun: AbortSignal;
  transcript(end: ProgramEnd): Transcript;
}

/** Begins a run of a scenario. */
export function startRun(scenario: Scenario): KitRun {
  const script = scriptOf(scenario);
  const requests: SeenRequest[] = [];
  const runs: SeenRun[] = [];
  const approvals: Transcript["approvals"][number][] = [];
  const answers: unknown[] = [];
  const strays = new Set<string>();
  const done = new AbortController();
  const overrun = new AbortController();
  let { turns } = script;

  function report(body: string): Transcript["approvals"][number] {
    const { name, arguments: input } = readReport(body);
    return { turn: requests.length, name, arguments: input, body };
  }

  return {
    reply(request) {
      const index = requests.push(request) - 1;
      const mayStop = turns[index]?.turn.whileOffered === true && index > 0;
      if (mayStop && !request.mayCall) turns = turns.slice(0, index);
      if (index > turns.length + SPARE_REQUESTS) {
        overrun.abort();
        return undefined;
      }
      // A final answer ends the run; otherwise the model reports that it is done.
      const lastIndex = turns.length - (scenario.answer === undefined ? 0 : 1);
      if (index >= lastIndex) done.abort();
      return script.replyTo(index, turns[index]);
    },
    ran(body) {
      const receipt = randomBytes(5).toString("hex");
      const seen = { ...report(body), receipt };
      runs.push(seen);
      return { done: seen.name, receipt };
    },
    answered(body) {
      answers.push(readJson(body));
      return {};
    },
    approve(body) {
      approvals.push(report(body));
      return { approved: true };
    },
    strayed: (path) => void strays.add(path),
    strays,
    done: done.signal,
    overrun: overrun.signal,
    transcript: (programEnd) => ({
      requests,
      script: turns,
      runs,
      approvals,
      answers,
      end: programEnd,
    }),
  };
}

/** A report that is not as asked is still a run: its arguments are what was sent. */
function readReport(body: string): { readonly name: string; readonly arguments: unknown } {
  const report = readJson(body);
  if (typeof report === "object" && report !== null && "name" in report) {
    const input = "arguments" in report ? report.arguments : undefined;
    return { name: String(report.name), arguments: input };
  }
  return { name: "", arguments: report };
}

/** The value of a body; one that is not JSON is a string. */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

import type { CountedFailure } from "../attempts/index.ts";
import type { Execute, ExecutionStage, StageAnswer, StageRefusal } from "../shared/index.ts";
import type { InvalidArguments } from "./decision.ts";
import { type AdmittedCall, recordSuccess } from "./record.ts";
import { foundByStage } from "./refuse-by-stage.ts";
import { refuseCall } from "./refuse.ts";
import { runTool } from "./run-tool.ts";
import { toRefusal } from "./stage.ts";

/** The run of a call in a stage whose refusals are only reported. */
export interface ObservedRun {
  /** Runs the tool, for the stage. */
  readonly run: () => unknown;
  /** Counts and reports what the stage would have refused; a call is counted once. */
  readonly observe: (refusal: StageRefusal) => Promise<void>;
  /** The same for a tool that is closed. */
  readonly observeClosed: (found: InvalidArguments, closed: CountedFailure) => Promise<void>;
  /** What the host gets: what its tool returned or threw, whatever the stage says of it. */
  readonly end: (stage: ExecutionStage, answer: StageAnswer | undefined) => Promise<unknown>;
}

/** Creates the run of a call in a contract that only observes. */
export function createObservedRun<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
  wants: string,
): ObservedRun {
  const { record, attempt } = admitted;
  let ran: { readonly output: unknown } | undefined;
  let isCounted = admitted.observed !== undefined;

  async function count(
    find: () => InvalidArguments | Promise<InvalidArguments>,
    closed?: CountedFailure,
  ): Promise<void> {
    if (isCounted || record.context.signal?.aborted === true) return;
    isCounted = true;
    await refuseCall(record, await find(), { closed, hasRun: true });
  }

  const observe = async (refusal: StageRefusal): Promise<void> =>
    count(async () => foundByStage(admitted, refusal));

  return {
    observe,
    observeClosed: async (found, closed) => count(() => found, closed),
    run() {
      const output = runTool(admitted, execute);
      ran = { output };
      return output;
    },
    async end(stage, answer) {
      if (answer?.action === "return") {
        if (!isCounted) await recordSuccess(record, attempt);
        return answer.value;
      }
      if (answer?.action !== "fail") await observe(toRefusal(stage, answer, wants));
      return ran ? ran.output : runTool(admitted, execute);
    },
  };
}

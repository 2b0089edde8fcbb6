import { isDeepStrictEqual } from "node:util";
import type { PlayedCall, ScenarioCall, SeenRun } from "../shared/index.ts";

/** What ran after one message of the model. */
export interface MatchedRuns {
  /** The run of each call, in order; undefined if it did not run as it may. */
  readonly runs: readonly (SeenRun | undefined)[];
  /** The run of each bad call that ran although it must not. */
  readonly wrongRuns: readonly (SeenRun | undefined)[];
  /** What ran besides, such as a call that ran twice. */
  readonly others: readonly SeenRun[];
}

/** Finds the run of each call: tools report a name and arguments, and no id. */
export function matchRuns(calls: readonly PlayedCall[], reported: readonly SeenRun[]): MatchedRuns {
  const rest = [...reported];
  const take = (isOwn: (run: SeenRun) => boolean): SeenRun | undefined => {
    // If a call ran twice, the second result counts.
    const index = rest.findLastIndex(isOwn);
    return index === -1 ? undefined : rest.splice(index, 1)[0];
  };
  const runs = calls.map(({ call }) => take((run) => isAllowed(call, run)));
  const isRepeated = (run: SeenRun): boolean => calls.some(({ call }) => isAllowed(call, run));
  const wrongRuns = calls.map(({ call }, index) =>
    call.expect === "runs" || runs[index] !== undefined
      ? undefined
      : take((run) => isRunOf(call, run) && !isRepeated(run)),
  );
  return { runs, wrongRuns, others: rest };
}

function isRunOf({ tool, runsAs, nearest }: ScenarioCall, { name }: SeenRun): boolean {
  return [tool, runsAs, nearest].includes(name);
}

function isAllowed(call: ScenarioCall, { name, arguments: input }: SeenRun): boolean {
  if (name !== (call.runsAs ?? call.tool)) return false;
  // Whether the digits survived is a question of its own.
  if (call.digits !== undefined) return true;
  return allowedArguments(call).some((allowed) => isDeepStrictEqual(input, allowed));
}

function allowedArguments({
  expect,
  runsAs,
  runsWith,
  arguments: text,
}: ScenarioCall): readonly unknown[] {
  if (expect === "refused" && runsAs === undefined) return [];
  return runsWith ?? [JSON.parse(text)];
}

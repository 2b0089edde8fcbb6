import { AsyncLocalStorage } from "node:async_hooks";
import type { SystemMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { ToolContractError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import type { SessionRun } from "@toolcontract/session";
import type { AgentTarget } from "./targets.ts";

/** One run of an agent, as its hooks see it. */
export interface CurrentRun {
  readonly run: SessionRun<AgentTarget>;
  /** Whether other middleware looks at the model's answers in a node of its own. */
  readonly isWatched: boolean;
  /** The system message of the first request: no state has it. */
  system: SystemMessage | undefined;
  /** Whether the loop was let out once, after the last turn. */
  wasEnded: boolean;
}

type Configurable = Readonly<Record<string, unknown>>;

/** The runs of one session that are under way. */
export interface CurrentRuns {
  /** Calls a graph as part of a run; its `configurable` must go through `within`. */
  readonly enter: <T>(
    current: CurrentRun,
    call: (within: (configurable: Configurable | undefined) => Configurable) => Promise<T>,
  ) => Promise<T>;
  /** The run that a hook belongs to. Throws if there is none. */
  readonly of: (runtime: object) => CurrentRun;
  /** Calls a tool: an agent of this session inside of it is not part of the run. */
  readonly leave: <T>(call: () => T) => T;
  /** The `configurable` that a tool gets, without the run: the counterpart of `leave`. */
  readonly without: (configurable: Configurable | undefined) => Configurable;
}

/**
 * Keeps the runs of one session apart. Nothing of a run is in a graph's state, so nothing is in a checkpoint.
 *
 * A run is found by a value in its `configurable`, because other middleware may call hooks in the asynchronous context of
 * another run, such as a rate limiter. Older versions of LangChain do not show `configurable` to hooks.
 */
export function createCurrentRuns(where: string): CurrentRuns {
  // Names with two underscores stay out of the metadata of checkpoints and traces.
  const key = `__${where}_${globalThis.crypto.randomUUID()}`;
  const running = new AsyncLocalStorage<CurrentRun | undefined>();
  return {
    enter: async (current, call) => {
      // Older versions take a given `configurable` in place of that of the graph around.
      const around = AsyncLocalStorageProviderSingleton.getRunnableConfig()?.configurable;
      return running.run(current, async () =>
        call((own) => ({ ...around, ...own, [key]: current })),
      );
    },
    of(runtime) {
      const { configurable } = runtime as { readonly configurable?: unknown };
      const found =
        isRecord(configurable) && key in configurable ? configurable[key] : running.getStore();
      if (found !== undefined) return found as CurrentRun;
      throw new ToolContractError(
        `${where}: the middleware ran outside of a run, without limits. Call session.run(agent, input) instead of agent.invoke(input), also inside a tool.`,
      );
    },
    leave: (call) => running.run(undefined, call),
    without: (configurable) => ({ ...configurable, [key]: undefined }),
  };
}

import type { BaseMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { ToolContractError } from "@toolcontract/core";
import { type OptionRules, isObject, type WithContract } from "@toolcontract/core/adapter";
import {
  type AIAgentResult,
  createSession,
  type Session,
  type SessionLimits,
  type SessionRun,
} from "@toolcontract/session";
import { checkTargets, splitLimits } from "@toolcontract/session/adapter";
import * as langchain from "langchain";
import type { WrapModelCallHook } from "langchain";
import { createMiddlewareGuard, type ToolContractMiddleware } from "../middleware.ts";
import type {
  GuardOptions,
  MiddlewareGuard,
  MiddlewareOwnOptions,
  ToolContractMiddlewareOptions,
} from "../options.ts";
import { wrapModelCallFor } from "../wrap-model-call.ts";
import { wrapToolCallFor } from "../wrap-tool-call.ts";
import {
  type AgentFacts,
  conflictingNames,
  isWatched,
  readAgent,
  recursionLimitFor,
} from "./agent-facts.ts";
import { createCurrentRuns, type CurrentRun, type CurrentRuns } from "./current-run.ts";
import {
  createGraphProgress,
  drive,
  loopEndOf,
  messagesOfRun,
  type Streamable,
  finalState,
} from "./drive.ts";
import { endLoop, noteSystem } from "./loop-end.ts";
import { takeTurn } from "./model-turn.ts";
import { type AgentTarget, checkModel, namesOfTarget } from "./targets.ts";
import { watchesTokens, withTokenWatch } from "./token-watch.ts";
import { createToolLimits } from "./tool-limits.ts";

/**
 * Options of a session that it shares with neither a contract nor the limits.
 *
 * @example
 * ```ts
 * const options: SessionOwnOptions = { targets: [{ model }], escalate: "drop-tool" };
 * ```
 * @see docs/session.md
 */
export interface SessionOwnOptions extends GuardOptions, Omit<MiddlewareOwnOptions, "escalate"> {
  /** Attempts go to them in turn, beginning with the first in every turn. */
  readonly targets: readonly [AgentTarget, ...AgentTarget[]];
  /**
   * What happens once a tool has no attempts left: with `"drop-tool"` the run goes on to its report, the others end or
   * pause it.
   *
   * @default "drop-tool"
   */
  readonly escalate?: MiddlewareOwnOptions["escalate"];
}

/**
 * Options of a session, with those of toolContractMiddleware, or a contract.
 *
 * @example
 * ```ts
 * const options: AgentSessionOptions = { targets: [{ model }], maxTurns: 10, maxCost: 0.5 };
 * ```
 * @see docs/session.md
 */
export type AgentSessionOptions = WithContract<SessionOwnOptions & SessionLimits>;

/** What can be run: an agent of `createAgent`, or a compiled graph that has such agents in its nodes. */
export interface RunnableAgent {
  /** Runs it to its end. */
  readonly invoke: (input: never, config?: never) => Promise<unknown>;
  /** Runs it and yields its states. */
  readonly stream: (input: never, config?: never) => Promise<AsyncIterable<unknown>>;
}

/** The result of a run. */
export type SessionResult<V> = AIAgentResult<BaseMessage> & {
  /** What `invoke` would have returned: the state, as far as the run got. */
  readonly value?: V;
};

/** A session for LangChain; any number of runs share it. */
export interface AgentSession {
  /**
   * The limits, the contract and the tool for the final report, for `createAgent({ middleware: [session.middleware] })`.
   *
   * @remarks Make it the first middleware, but put what rewrites the request before it, such as
   * contextEditingMiddleware, so that the tokens of the final request are counted.
   *
   * It works inside of `run` only, and throws ToolContractError elsewhere: without a run there is nobody who could count,
   * nor a result. LangChain wraps what a middleware throws in a MiddlewareError, so it is its `cause`.
   */
  readonly middleware: ToolContractMiddleware;
  /**
   * Runs an agent within the limits, and returns its result. The recursion limit is raised so that all turns fit.
   *
   * A run that waits for a person is `success: false` with an `error` that begins with `paused:`; call `run` again with
   * `new Command({ resume })` and the same `thread_id`. Each call of `run` counts its turns anew.
   *
   * @throws ToolContractError for a misuse, and what moves a graph around the run, such as an interrupt in a tool that
   *   calls `run`; never for what a model, a tool, a limit or an abort did.
   */
  run<A extends RunnableAgent>(
    agent: A,
    input: Parameters<A["invoke"]>[0],
    config?: Parameters<A["invoke"]>[1],
  ): Promise<SessionResult<Awaited<ReturnType<A["invoke"]>>>>;
}

const WHERE = "agentSession";

/**
 * Puts whole runs of LangChain agents within limits: turns, attempts across models, tool time and output, context; each
 * run ends in a result with a report, never in an exception.
 *
 * @throws ToolContractError if an option is unknown or does not fit.
 * @example
 * ```ts
 * const session = agentSession({ targets: [{ model }], maxTurns: 8 });
 * const agent = createAgent({ model, tools, middleware: [session.middleware] });
 * const run = await session.run(agent, { messages: [{ role: "user", content: "Who are you?" }] });
 * ```
 * @see packages/langchain/README.md
 */
export function agentSession(options: AgentSessionOptions): AgentSession {
  const { limits, targets, adapter, known } = readOptions(options);
  const runs = createCurrentRuns(WHERE);
  const isWatching = watchesTokens(
    limits.requestTimeout,
    ...targets.map(({ requestTimeout }) => requestTimeout),
  );
  const toolLimits = createToolLimits(runs, adapter.toolErrors);
  const guard: MiddlewareGuard = {
    ...createMiddlewareGuard(WHERE, { escalate: "drop-tool", ...adapter }, known),
    toolErrors: toolLimits.toolErrors,
    // The last turn is for the report.
    endNext: ({ runtime }) => runs.of(runtime).run.endNext(),
  };
  const session = createSession<AgentTarget>(
    { clock: guard.contract.settings.clock, ...limits, targets },
    { where: WHERE, nameOf: namesOfTarget, contract: guard.contract },
  );
  const reportTool = createReportTool(session);
  const middleware: ToolContractMiddleware = {
    name: adapter.name ?? "toolContractSession",
    tools: (session.reportAs === "call" ? [reportTool] : []) as never,
    wrapModelCall: limitModelCalls(runs, guard, { targets, reportTool, session, isWatching }),
    wrapToolCall: toolLimits.wrap(wrapToolCallFor(guard)),
  };

  return {
    middleware,
    async run(agent, input, config) {
      const given = config as GivenConfig | undefined;
      const facts = readAgent(WHERE, agent, middleware, config);
      const progress = createGraphProgress(input);
      let current: CurrentRun | undefined;
      const result = await session.run({
        call: async (run) => {
          noteConflicts(run, facts);
          current = { run, isWatched: isWatched(facts), system: undefined, wasEnded: false };
          await runs.enter(current, async (within) => {
            const own = {
              ...given,
              configurable: within(given?.configurable),
              recursionLimit: recursionLimitFor(facts, session.maxTurns),
            };
            const watched = withTokenWatch(own, isWatching);
            await drive(agent as unknown as Streamable, watched, progress);
          });
          return finalState(progress);
        },
        // A graph gives each node a signal of its own, and aborts it when another node throws.
        callerSignal: given?.signal,
        end: () => loopEndOf(progress),
        conversation: () => [
          ...(current?.system ? [current.system] : []),
          ...messagesOfRun(progress),
        ],
      });
      if (progress.isBubble) throw progress.thrown;
      return result as SessionResult<never>;
    },
  };
}

/** What is read of a config. */
interface GivenConfig {
  readonly configurable?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** The options of the middleware, checked with those of the session, which it does not know. */
function readOptions(options: AgentSessionOptions): {
  readonly limits: SessionLimits;
  readonly targets: AgentSessionOptions["targets"];
  readonly adapter: ToolContractMiddlewareOptions;
  readonly known: OptionRules;
} {
  if (!isObject.fits(options)) {
    throw new ToolContractError(`${WHERE}: pass the options, such as { targets: [{ model }] }.`);
  }
  const { targets, ...rest } = options;
  checkTargets(WHERE, targets);
  for (const [index, target] of targets.entries()) checkModel(WHERE, target, index);
  const { own, others, known } = splitLimits(rest);
  return {
    limits: own,
    known,
    targets,
    adapter: others,
  };
}

/** The hook around the model: the end of the run, then the contract, then the session's turn. */
function limitModelCalls(
  runs: CurrentRuns,
  guard: MiddlewareGuard,
  {
    session,
    targets,
    reportTool,
    isWatching,
  }: {
    readonly targets: readonly AgentTarget[];
    readonly session: Session<AgentTarget>;
    readonly reportTool: DynamicStructuredTool;
    readonly isWatching: boolean;
  },
): WrapModelCallHook {
  const contract = wrapModelCallFor(guard, [reportTool.name]);
  const { format, reportAs } = session;
  const shared = {
    guard,
    targets,
    reportTool: reportAs === "call" ? reportTool : undefined,
    format,
    isWatching,
  };
  return async (request, handler) => {
    const current = runs.of(request.runtime);
    noteSystem(current, request);
    if (current.run.isOver) return endLoop(current, request);
    return contract(request, async (sent) => {
      // A handler may leave the system prompt as it is.
      const whole = { ...request, ...sent } as typeof request;
      return takeTurn(current, whole, handler, shared);
    });
  };
}

// Version 1.0 does not find its way from such a tool to hooks before the model. What is looked for came with version 1.2.
// Without it, the loop is ended before it asks the model again.
const CAN_RETURN_DIRECT = "fakeModel" in langchain;

/** The tool for the final report, after which the loop ends. Its calls are taken by the middleware. */
function createReportTool({
  reportTool: { name, description, inputSchema },
}: Session<AgentTarget>): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description,
    schema: inputSchema,
    returnDirect: CAN_RETURN_DIRECT,
    func: async () => {
      throw new ToolContractError(
        `${WHERE}: ${name} ran outside of the session's middleware. Pass session.middleware to createAgent.`,
      );
    },
  });
}

function noteConflicts(run: SessionRun<AgentTarget>, facts: AgentFacts): void {
  const names = conflictingNames(facts);
  if (names.length === 0) return;
  run.notJudged(
    "middleware",
    `${names.join(", ")} ends the run or repeats requests outside of the limits; leave it out`,
  );
}

import { AsyncLocalStorage } from "node:async_hooks";
import { ToolContractError } from "@toolcontract/core";
import {
  type OptionRules,
  isObject,
  nearestName,
  parseJson,
  type WithContract,
} from "@toolcontract/core/adapter";
import { type AIAgentResult, createSession, type SessionLimits } from "@toolcontract/session";
import { checkTargets, REPORT_TOOL, splitLimits } from "@toolcontract/session/adapter";
import type { ModelMessage, PrepareStepFunction, ToolCallRepairFunction, ToolSet } from "ai";
import {
  type AdapterOptions,
  createGuard,
  keepGuard,
  type PrepareStep,
  renewGuard,
  type WithContractOptions,
} from "../guard.ts";
import { isProviderTool } from "../tool-definitions.ts";
import { setText } from "../rejection-error.ts";
import { guardAll } from "../with-contract.ts";
import { agentCall, checkMisuse, type CurrentCall } from "./agent-call.ts";
import type { GenerateOptions } from "./generate-options.ts";
import { createConversation, type Conversation } from "./conversation.ts";
import { finish, type Finished } from "./finish.ts";
import { sessionModel } from "./model.ts";
import { createOffer } from "./offer.ts";
import { createSdkTimeout, isSdkTimeout } from "./sdk-timeout.ts";
import { type ResolvedTarget, resolveTarget, type SdkRun, type SdkTarget } from "./targets.ts";
import { createRunTools, limitTool, sdkReportTool, type RunTools, timeTool } from "./tools.ts";

/**
 * Options of a session, with those of withContract, or a contract.
 *
 * @example
 * ```ts
 * const options: AgentSessionOptions<ToolSet> = { tools, targets: [{ model }], maxTurns: 10, maxCost: 0.5 };
 * ```
 * @see docs/session.md
 */
export type AgentSessionOptions<TOOLS extends ToolSet> = WithContract<
  AdapterOptions<TOOLS> &
    SessionLimits & {
      /** Attempts go to them in turn, beginning with the first in every turn. */
      readonly targets: readonly [SdkTarget, ...SdkTarget[]];
    }
>;

/** The result of a run, and what your function returned. */
export type SessionResult<R> = AIAgentResult<ModelMessage> & {
  /** What your function returned; a stream has been read to its end. */
  readonly value?: Awaited<R>;
};

/** A session for the AI SDK; any number of runs share it. */
export interface AgentSession<TOOLS extends ToolSet> {
  /**
   * Runs generateText, streamText or an agent within the limits: spread the options that your function gets.
   *
   * A stream is yours to read, and is read to its end in any case.
   *
   * @throws ToolContractError for a misuse; never for what a model, a tool, a limit or an abort did.
   */
  run<R>(call: (options: GenerateOptions<TOOLS>) => R): Promise<SessionResult<R>>;
  /** The session's tools as `asksIn` reads them, also in another process than the one that paused. They run nothing by themselves. */
  readonly tools: TOOLS;
  /**
   * The `prepareCall` of a ToolLoopAgent that is called inside `run`: gives the options back with those of the run.
   *
   * @remarks The type does not repeat what it adds: comparing both with the agent's takes a compiler seconds.
   * @throws ToolContractError outside of `run`: the call would have no limits.
   */
  readonly prepareCall: <O extends object>(options: O) => O;
}

const WHERE = "agentSession";
/** The format of models in version 5 of the SDK. */
const V2: string = "v2";

/** A queue is bound to a tool of another session that shares the limits, or to a tool that is misspelt. */
function checkBound(bound: readonly string[], tools: readonly string[]): void {
  for (const name of bound) {
    const meant = tools.includes(name) ? undefined : nearestName(name, tools);
    if (meant === undefined) continue;
    throw new ToolContractError(
      `${WHERE}: option 'queueOf' binds '${name}', which is not one of its tools. Write ${meant}.`,
    );
  }
}

/**
 * Puts whole runs of the AI SDK within limits: turns, attempts across models, tool time and output, context; each run
 * ends in a result with a report, never in an exception.
 *
 * @throws ToolContractError if an option is unknown or does not fit.
 * @example
 * ```ts
 * const session = agentSession({ targets: [{ model }], tools, maxTurns: 8 });
 * const run = await session.run((options) => generateText({ ...options, prompt: "What is new?" }));
 * console.log(run.finalReport?.content ?? run.error);
 * ```
 * @see packages/ai-sdk/README.md
 */
export function agentSession<TOOLS extends ToolSet>(
  options: AgentSessionOptions<TOOLS>,
): AgentSession<TOOLS> {
  const { limits, targets, adapter, known } = readOptions(options);
  const guard = createGuard(adapter, WHERE, known);
  if (Object.hasOwn(adapter.tools, REPORT_TOOL)) {
    throw new ToolContractError(
      `${WHERE}: option 'tools' has a tool named ${REPORT_TOOL}; the session adds its own. Rename yours.`,
    );
  }
  checkBound(Object.keys(limits.queueOf ?? {}), Object.keys(adapter.tools));
  const session = createSession<ResolvedTarget>(
    { clock: guard.contract.settings.clock, ...limits, targets },
    {
      where: WHERE,
      nameOf: ({ model: { provider, modelId } }) => ({ provider, model: modelId }),
      contract: guard.contract,
      isTimeLimit: isSdkTimeout,
    },
  );
  const current = new AsyncLocalStorage<CurrentCall<TOOLS>>();
  const isCalled = session.reportAs === "call";
  /** The names that the session adds to the tools. */
  const added = isCalled ? [REPORT_TOOL] : [];

  /** The options of one run; only the contract and the definitions of the tools are shared with another. */
  function optionsOf(run: SdkRun, conversation: Conversation): GenerateOptions<TOOLS> {
    const calls = createRunTools(run, targets[0].model.specificationVersion !== V2);
    const timed = mapTools(adapter.tools, (name, tool) => timeTool(name, tool, calls));
    const guarded = guardAll(
      {
        ...adapter,
        tools: timed,
        stopWhen: [() => run.isOver, ...[adapter.stopWhen ?? []].flat()],
        ...(adapter.prepareStep && { prepareStep: prepareWithin(adapter.prepareStep, added) }),
        ...(adapter.activeTools && { activeTools: [...adapter.activeTools, ...added] }),
      },
      renewGuard(guard, timed, { others: added, endNext: () => run.endNext() }),
    );
    const tools = mapTools(guarded.tools, (name, tool) => limitTool(name, tool, calls));
    const repairToolCall = repairWithin(guarded.repairToolCall, calls, run);
    const report = sdkReportTool(run, session.reportTool);
    const offer = createOffer(tools, isCalled ? { report, ...session.reportTool } : undefined);
    const offered = offer.tools;
    keepGuard(offered, guard);
    const timeout = createSdkTimeout();
    if (Object.values(adapter.tools).some(isProviderTool)) {
      run.notJudged("provider-tool");
    }
    return {
      model: sessionModel(run, targets, { conversation, timeout, offer }),
      tools: offered,
      maxRetries: 0,
      stopWhen: guarded.stopWhen,
      prepareStep: noteSteps(guarded.prepareStep, (step) => {
        offer.begin();
        conversation.step(step);
      }),
      repairToolCall,
      experimental_repairToolCall: repairToolCall,
      streamRetries: session.maxRetries - 1,
      onStart: timeout.onStart,
      experimental_onStart: timeout.onStart,
      onError: () => undefined,
      ...(guarded.activeTools && { activeTools: guarded.activeTools }),
    };
  }

  const models = options.targets.map(({ model }) => model);
  const ownTools = { ...adapter.tools };
  keepGuard(ownTools, guard);

  return {
    tools: ownTools,
    async run(call) {
      if (typeof call !== "function") throw noFunction();
      const conversation = createConversation();
      let finished: Finished = {};
      const result = await session.run({
        call: async (run) => {
          const own = { options: optionsOf(run, conversation), misuse: undefined };
          const value = await current.run(own, async () => call(own.options));
          checkMisuse(own);
          if (value instanceof Response) throw hidden();
          if (value instanceof ReadableStream) throw hiddenParts();
          finished = await finish(value, guard.escalate === "stop");
          checkMisuse(own);
          if (finished.responses?.length && !conversation.isAsked) throw outside();
          return value;
        },
        end: () => finished,
        conversation: () => conversation.all(finished.responses),
      });
      return result as SessionResult<ReturnType<typeof call>>;
    },
    prepareCall(given) {
      const own = current.getStore();
      if (own) return agentCall(given, own, { where: WHERE, models, tools: adapter.tools, added });
      throw new ToolContractError(
        `${WHERE}: prepareCall ran outside of a run. Call the agent inside session.run(() => agent.generate(…)).`,
      );
    },
  };
}

/** A stream inside of a response can be read by its client alone: the run would not know its end. */
function hidden(): ToolContractError {
  return new ToolContractError(
    `${WHERE}: the function of run returned a Response, which hides the stream. Return what streamText returned, and make the response beside it: const done = session.run((options) => (stream = streamText({ ...options, prompt }))); return stream.toUIMessageStreamResponse();`,
  );
}

/** The parts for a browser do not say how the run went either. */
function hiddenParts(): ToolContractError {
  return new ToolContractError(
    `${WHERE}: the function of run returned a stream of parts, such as that of createAgentUIStream, which hides the end of the run. Return what agent.stream or streamText returned, and make the parts beside it: const done = session.run(async () => (result = await agent.stream({ messages }))); result.toUIMessageStream().`,
  );
}

function outside(): ToolContractError {
  return new ToolContractError(
    `${WHERE}: the call used another model than the session's, outside of the limits. Spread the options after your own, and name models among the targets.`,
  );
}

/** The options of withContract, checked with those of the session, which it does not know. */
function readOptions<TOOLS extends ToolSet>(
  options: AgentSessionOptions<TOOLS>,
): {
  readonly limits: SessionLimits;
  readonly targets: readonly [ResolvedTarget, ...ResolvedTarget[]];
  readonly adapter: WithContractOptions<TOOLS>;
  readonly known: OptionRules;
} {
  if (!isObject.fits(options)) {
    throw new ToolContractError(
      `${WHERE}: pass the options, such as { targets: [{ model }], tools }.`,
    );
  }
  const { targets, ...rest } = options;
  checkTargets(WHERE, targets);
  const { own, others, known } = splitLimits(rest);
  return {
    limits: own,
    known,
    targets: targets.map(resolveTarget) as [ResolvedTarget, ...ResolvedTarget[]],
    adapter: others as WithContractOptions<TOOLS>,
  };
}

function mapTools<TOOLS extends ToolSet>(
  tools: TOOLS,
  map: (name: string, tool: ToolSet[string]) => ToolSet[string],
): TOOLS {
  // No prototype: on any other object, versions 5 and 6 would find a tool named `constructor`.
  const mapped = Object.create(null) as Record<string, ToolSet[string]>;
  for (const [name, tool] of Object.entries(tools)) mapped[name] = map(name, tool);
  return mapped as TOOLS;
}

// The compiler cannot read the type of an option of generateText while TOOLS is open.
type OwnPrepareStep = PrepareStepFunction<ToolSet>;

/** Notes the messages of each step. */
function noteSteps<TOOLS extends ToolSet>(
  prepare: PrepareStep<TOOLS>,
  note: (options: Parameters<OwnPrepareStep>[0]) => void,
): PrepareStep<TOOLS> {
  const noted: OwnPrepareStep = async (options) => {
    note(options);
    return (prepare as OwnPrepareStep)(options);
  };
  return noted as PrepareStep<TOOLS>;
}

/** Keeps the report tool active, and the session's model. */
function prepareWithin<TOOLS extends ToolSet>(
  prepare: PrepareStep<TOOLS>,
  added: readonly string[],
): PrepareStep<TOOLS> {
  const within: OwnPrepareStep = async (options) => {
    const prepared = await (prepare as OwnPrepareStep)(options);
    if (prepared?.model !== undefined) {
      throw new ToolContractError(
        `${WHERE}: option 'prepareStep' returned a model, which would be outside of the limits. Name it among the targets.`,
      );
    }
    const { activeTools } = prepared ?? {};
    return activeTools ? { ...prepared, activeTools: [...activeTools, ...added] } : prepared;
  };
  return within as PrepareStep<TOOLS>;
}

/** Answers calls that must not run before the contract counts them, and lets the report tool read anything. */
function repairWithin<TOOLS extends ToolSet>(
  repair: ToolCallRepairFunction<TOOLS>,
  calls: RunTools,
  run: Pick<SdkRun, "report">,
): ToolCallRepairFunction<TOOLS> {
  return async (options) => {
    const { toolCallId: id, toolName: name, input } = options.toolCall;
    const isActive = Object.hasOwn(options.tools, REPORT_TOOL);
    if (name === REPORT_TOOL && isActive)
      return { ...options.toolCall, input: JSON.stringify(input) };
    // A list of active tools has left it out, so the SDK runs no such tool.
    if (name === REPORT_TOOL) {
      setText(options.error, run.report(parseJson(input) ?? input, id).text);
      return null;
    }
    const refused = calls.refusal({ id, name, input });
    if (refused === undefined) return repair(options);
    setText(options.error, refused);
    return null;
  };
}

function noFunction(): ToolContractError {
  return new ToolContractError(
    `${WHERE}: run() needs a function, such as session.run((options) => generateText({ ...options, prompt: "…" })).`,
  );
}

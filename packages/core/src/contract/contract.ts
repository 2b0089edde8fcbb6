import {
  type Admission,
  type AdmittedCall,
  type AnswerContext,
  type Answered,
  type CallContext,
  type CallFacts,
  type CheckResult,
  type Handled,
  type GivenCall,
  type HandledInTurn,
  type NamedContext,
  type RejectContext,
  type Refused,
  admitCall,
  answerAgain,
  answerUnrunnable,
  checkCall,
  checkContext,
  checkTurn,
  findTool,
  identityOfChecked,
  judgeAnswer,
  positionsIn,
  readGiven,
  readGivenTurn,
  rejectErrors,
  runInTurn,
  runSettled,
  skippedCall,
  toAdmission,
  withOwnArguments,
} from "../call/index.ts";
import type { ContractEventMap, Listener, MetricsSnapshot } from "../observe/index.ts";
import { ToolContractError, type ValidationError } from "@toolcontract/explain";
import { type MaybePromise, isPromiseLike } from "@toolcontract/explain/adapter";
import type { RunnableTool, ToolCall, ToolDefinition } from "../shared/index.ts";
import { type Author, createAuthor } from "./author.ts";
import type { CheckOptions, HandleContext, OutputOf, RunnableContext } from "./contexts.ts";
import { type ContractSettings, contractSettings } from "./contract-settings.ts";
import type { ContractOptions } from "./options.ts";
import { type SchemasFor, createContractServices } from "./services.ts";
import { type AnyContext, checkHandle, functionOf } from "./host-function.ts";
import { createSettledTurns } from "./settled-turns.ts";

/** One contract between model, tools and host. */
export interface Contract {
  /** The options it was created with, defaults filled in. */
  readonly settings: ContractSettings;
  /**
   * Checks arguments; counts nothing, runs nothing, and never throws for anything that a model can send.
   *
   * @throws ToolContractError if the tool's validator, a rule or a redactor is asynchronous: use checkAsync().
   */
  check(tool: ToolDefinition, args: unknown, options?: CheckOptions): CheckResult;
  /** Checks arguments with validators, rules and redactors that may be asynchronous. */
  checkAsync(tool: ToolDefinition, args: unknown, options?: CheckOptions): Promise<CheckResult>;
  /** Decides on a call and counts it; the host runs an admitted one with its `run()`. */
  admit(call: GivenCall, context: CallContext): Promise<Admission>;
  /**
   * Decides on all calls of one assistant message, for hosts that see the whole message in one hook and run its calls in
   * another; the decisions are in the order of the calls.
   *
   * @remarks The calls share a turn, which has a new id if the context has none, and `finishReason` is that of the message: it
   * counts for the last call only.
   */
  admitTurn(calls: readonly GivenCall[], context: CallContext): Promise<readonly Admission[]>;
  /** Decides on a call and runs it with the tool's own function if it is valid. */
  handle<TTool extends RunnableTool>(
    call: GivenCall,
    context: RunnableContext<TTool>,
  ): Promise<Handled<OutputOf<TTool>>>;
  /** Decides on a call and runs it with `execute` if it is valid. */
  handle<TOutput, TTool extends ToolDefinition = ToolDefinition>(
    call: GivenCall,
    context: HandleContext<TOutput, TTool>,
  ): Promise<Handled<Awaited<TOutput>>>;
  /** Handles all calls of one assistant message with the tools' own functions, as below. */
  handleTurn<TTool extends RunnableTool>(
    calls: readonly GivenCall[],
    context: RunnableContext<TTool>,
  ): Promise<readonly HandledInTurn<OutputOf<TTool>>[]>;
  /**
   * Handles all calls of one assistant message concurrently; the results are in the order of the calls.
   *
   * @remarks A tool that throws has `failed`, and loses no result of the others. Only what the host steers its own run
   * by is thrown, as the same object and once all the other calls are done: an aborted signal's reason, an interrupt of
   * LangGraph, a redirect of Next.js. `settledCalls` then has the results of the others.
   */
  handleTurn<TOutput, TTool extends ToolDefinition = ToolDefinition>(
    calls: readonly GivenCall[],
    context: HandleContext<TOutput, TTool>,
  ): Promise<readonly HandledInTurn<Awaited<TOutput>>[]>;
  /**
   * The results of a turn from which `handleTurn` threw, in the order of the calls; those that threw have none.
   *
   * @remarks They are kept by the array of the calls and not by the error, which may be a string, or the reason that the
   * signals of many users share.
   * @param calls - The same array that `handleTurn` got.
   */
  settledCalls(calls: readonly GivenCall[]): readonly HandledInTurn[];
  /**
   * Judges the final answer as one more call: its text is parsed and repaired as arguments are, checked by a schema or a validator,
   * and counted, logged and reported under the name `answer`. If it is rejected, `content` is what the model reads next.
   *
   * @example
   * ```ts
   * const answer = await contract.answer(text, { schema, conversationId: "chat-1", runId: "run-7" });
   * if (answer.status === "valid") console.log(answer.output);
   * ```
   */
  answer<TOutput = unknown>(text: unknown, context: AnswerContext): Promise<Answered<TOutput>>;
  /** Rejects a call that the host found invalid, for hosts that count attempts themselves. */
  reject(
    call: GivenCall,
    errors: readonly ValidationError[],
    context: RejectContext,
  ): Promise<Refused>;
  /** The counts since the contract was created. */
  metrics(): MetricsSnapshot;
  /** Subscribes to an event and returns the function that unsubscribes. */
  on<Name extends keyof ContractEventMap>(
    event: Name,
    listener: Listener<ContractEventMap[Name]>,
  ): () => void;
}

/** Creates a contract; `where` is the function that errors about the options name. */
export function makeContract(
  options: ContractOptions,
  schemasFor: SchemasFor,
  where?: string,
): Contract {
  const services = createContractServices(options, schemasFor, where);
  const turns = createSettledTurns();
  const messages = new WeakMap<readonly GivenCall[], string>();

  function start(
    tool: ToolDefinition,
    args: unknown,
    checkOptions: CheckOptions | undefined,
    mayWait: boolean,
  ): MaybePromise<CheckResult> {
    checkOptions?.signal?.throwIfAborted();
    const facts = checkOptions && callFactsOf(checkOptions);
    return checkCall(args, services.planOf(tool), facts, mayWait);
  }

  function decide(
    call: ToolCall,
    context: CallContext,
    message = context.turnId,
  ): MaybePromise<AdmittedCall | Refused> {
    return context.turnId === undefined
      ? decideTogether(call, context, message)
      : decideIn(context as NamedContext, call, message);
  }

  /** Decides on a call whose turn has no name. It leaves the turn once it is decided: a slow tool must not hold the turn open. */
  async function decideTogether(
    call: ToolCall,
    context: CallContext,
    message: string | undefined,
  ): Promise<AdmittedCall | Refused> {
    const { turnId, leave } = services.joinTurn(context);
    try {
      // Calls that are begun together join one turn before the first of them leaves it.
      await Promise.resolve();
      return await decideIn({ ...context, turnId }, call, message);
    } finally {
      leave();
    }
  }

  function decideIn(
    context: NamedContext,
    call: ToolCall,
    message: string | undefined,
  ): MaybePromise<AdmittedCall | Refused> {
    const element = services.journal?.elementOf(call, context, message);
    if (element === undefined) return decideNow(context, call);
    const here = { ...context, element };
    const again = answerAgain(call, here, services);
    if (again === undefined) return decideNow(here, call);
    // What the host changes in the arguments while this one waits must not reach the tool.
    const own = withOwnArguments(call);
    return again.then((answer) => answer ?? decideNow(here, own));
  }

  function decideNow(context: NamedContext, call: ToolCall): MaybePromise<AdmittedCall | Refused> {
    if (services.isExcess(call, context)) {
      const skipped = skippedCall(call, services);
      if (services.options.mode === "enforce") return skipped;
    }
    return admitCall(call, context, services);
  }

  /** The context of each call of a message, by its place. */
  function contextsOf(
    calls: readonly ToolCall[],
    { finishReason, ...rest }: CallContext,
  ): (index: number) => CallContext {
    const shared = { ...rest, turnId: rest.turnId ?? services.newTurnId() };
    // Output is cut at its end, so only the last call of a message can be.
    const last = { ...shared, ...(finishReason !== undefined && { finishReason }) };
    const positionAt = positionsIn(calls);
    return (index) => {
      const context = index === calls.length - 1 ? last : shared;
      const position = positionAt(index);
      // An empty id tells nothing apart.
      return position === 0 && calls[index]?.id !== "" ? context : { ...context, position };
    };
  }

  /** The message of these calls, if the host does not name the turn: the same list is the same message. */
  function messageOf(calls: readonly GivenCall[], { turnId }: CallContext): string {
    const known = turnId ?? messages.get(calls) ?? services.newTurnId();
    messages.set(calls, known);
    return known;
  }

  async function admit(call: ToolCall, context: CallContext, message?: string): Promise<Admission> {
    checkContext("admit", call, context);
    const decision = await decide(call, context, message);
    return decision.status === "admitted" ? toAdmission(decision) : decision;
  }

  const contract: Contract = {
    settings: contractSettings(services),
    check(tool, args, checkOptions) {
      const result = start(tool, args, checkOptions, false);
      if ("status" in result) return result;
      // Swallow the rejection; the error below replaces it.
      result.then(undefined, () => undefined);
      throw new ToolContractError(
        `contract.check: the validator, a rule or a redactor of '${tool.name}' is asynchronous; use contract.checkAsync().`,
      );
    },
    checkAsync: async (tool, args, checkOptions) => start(tool, args, checkOptions, true),
    admit: async (call, context) => admit(readGiven("admit", call), context),
    async admitTurn(given, context) {
      checkTurn("admitTurn", given, context);
      const message = messageOf(given, context);
      const calls = readGivenTurn("admitTurn", given, message);
      const contextAt = contextsOf(calls, context);
      return Promise.all(calls.map(async (call, index) => admit(call, contextAt(index), message)));
    },
    handle: (async (given, context) => {
      const call = readGiven("handle", given);
      checkHandle("handle", call, context);
      const decision = await decide(call, context);
      if (decision.status !== "admitted") return decision;
      const unrunnable = answerUnrunnable(decision);
      if (unrunnable) return unrunnable;
      const handled = runSettled(decision, functionOf(decision, context));
      return isPromiseLike(handled) ? await handled : handled;
    }) as HandleAny as Contract["handle"],
    handleTurn: (async (given, context) => {
      checkTurn("handleTurn", given, context);
      const message = messageOf(given, context);
      const calls = readGivenTurn("handleTurn", given, message);
      for (const call of calls) {
        checkHandle("handleTurn", call, context);
        const tool = findTool(call.name, context);
        if (tool === undefined) continue;
        services.checkTools(tool, context);
        // Throws if the definition is unusable.
        if (context.checked === undefined) services.planOf(tool);
      }
      const contextAt = contextsOf(calls, context);
      return turns.settle(given, calls, async (call, index) => {
        const decision = await decide(call, contextAt(index), message);
        if (decision.status === "admitted")
          return (
            answerUnrunnable(decision) ?? (await runInTurn(decision, functionOf(decision, context)))
          );
        return decision;
      });
    }) as HandleAnyTurn as Contract["handleTurn"],
    settledCalls: (calls) => turns.settled(calls),
    answer: (async (text, context) => judgeAnswer(text, context, services)) as Contract["answer"],
    reject: async (call, errors, context) => rejectErrors(call, errors, context, services),
    metrics: () => services.reporter.metrics(),
    on: (event, listener) => services.reporter.on(event, listener),
  };
  return { ...contract, [AUTHOR]: createAuthor(services) } as Contract;
}

/** The options of a check; the place is not that of a call. */
function callFactsOf({ place, ...facts }: CheckOptions): CallFacts {
  return { ...facts, identity: () => identityOfChecked({ ...facts, ...place }) };
}

type HandleAny = (call: GivenCall, context: AnyContext) => Promise<Handled>;
type HandleAnyTurn = (
  calls: readonly GivenCall[],
  context: AnyContext,
) => Promise<readonly HandledInTurn[]>;

/** A symbol, so that users of a contract do not see it. */
const AUTHOR = Symbol.for("toolcontract.author");

/**
 * Returns what another package writes with in the name of a contract.
 *
 * @throws ToolContractError if it is not what createContract() returned.
 */
export function authorOf(contract: Contract): Author {
  const author = (contract as { readonly [AUTHOR]?: Author } | undefined)?.[AUTHOR];
  if (author) return author;
  throw new ToolContractError("authorOf: pass the contract that createContract() returned.");
}

/** Whether a contract only observes: what it would refuse goes the host's own way. */
export function isObserving({ settings }: Pick<Contract, "settings">): boolean {
  return settings.mode === "observe";
}

/** Whether a tool of this name may be called: false if a stage could not do for it what it promises. */
export function mayBeCalled(name: string, { settings }: Contract): boolean {
  try {
    settings.checkTools([name], false);
    return true;
  } catch {
    return false;
  }
}

import { type Contract, ToolContractError } from "@toolcontract/core";
import { toolEntry, withTrace } from "../accounting/index.ts";
import { messageOf } from "../requests/index.ts";
import { createContextGuard } from "../context/index.ts";
import { normalizeReport, reportTool, type ReportTool, reportValidator } from "../report/index.ts";
import {
  type AIAgentResult,
  ProviderError,
  REPORT_TOOL,
  type ReportFormat,
  type SessionLimits,
  type Target,
  type XmlRun,
} from "../shared/index.ts";
import { type Budget, withBudget } from "./budget.ts";
import { checkTargets } from "./check-targets.ts";
import { resolveLimits } from "./options.ts";
import { createEffects } from "./effects.ts";
import { createProgress } from "./progress.ts";
import { type LoopEnd, settle } from "./settle.ts";
import { force, isOver, notJudged, questionAbout, type RunState } from "./state.ts";
import { type CallToRun, limitToolCall, type ToolCallLimits } from "./tool-call.ts";
import { createTurns, type Turns } from "./turn.ts";

/**
 * The limits and the targets of a session.
 *
 * @example
 * ```ts
 * const options: SessionOptions<Target<string, object>> = { targets: [target], maxTurns: 10, maxTokens: 200_000 };
 * ```
 * @see docs/session.md
 */
export interface SessionOptions<T> extends SessionLimits {
  /** Attempts go to them in turn, beginning with the first in every turn. */
  readonly targets: readonly [T, ...T[]];
}

/** What a session needs to know of its framework. */
export interface SessionHost<T> {
  /** The function that errors name. */
  readonly where: string;
  /** The names that accounting gives a target. */
  readonly nameOf: (target: T) => { readonly provider: string; readonly model: string };
  /** Writes what is wrong with a report; a contract with default options does otherwise. */
  readonly contract?: Contract;
  /**
   * Whether a time limit of the framework's own aborted the signal of a request with this reason, and not the caller: then
   * the request failed, and nobody aborted the run.
   */
  readonly isTimeLimit?: (reason: unknown) => boolean;
}

/** One run, as an adapter drives it. */
export interface SessionRun<T> extends Pick<Turns<T>, "turn"> {
  /** Whether no other turn begins: a report is there, the last turn is over, or a turn failed. */
  readonly isOver: boolean;
  /** Whether the report alone may be called in the turn that comes next. */
  readonly isForced: boolean;
  /** What writes requests and reads answers; set in the XML transports. */
  readonly xml: XmlRun | undefined;
  /** The limits around a call of a tool. */
  tool(call: CallToRun): ToolCallLimits;
  /** Makes the next turn the last one, for the report: the model calls nothing but what it may not call. */
  endNext(): void;
  /** Takes a call of the report tool, by its arguments and id; returns what the model reads. */
  report(args: unknown, id?: string): { readonly text: string; readonly isError: boolean };
  /** Reports once that a feature of the framework bypasses the limits. */
  notJudged(what: "stop-reason" | "provider-tool" | "middleware" | "model", detail?: string): void;
}

/** How an adapter runs a framework's loop. */
export interface Drive<T, M, V> {
  /** Calls the framework once. What it throws ends the run and is not thrown on. */
  readonly call: (run: SessionRun<T>) => Promise<V>;
  /**
   * The signal that ends the run as aborted, for a framework that gives requests a signal of its own and aborts it for
   * other reasons too. Without this member it is that of the requests.
   */
  readonly callerSignal?: AbortSignal | undefined;
  /** How the loop ended, from the value that the framework returned. */
  readonly end?: (value: V) => LoopEnd;
  /** The whole conversation up to now, also after an error. */
  readonly conversation: () => readonly M[] | Promise<readonly M[]>;
}

/** A session: limits and targets that any number of runs share. */
export interface Session<T> {
  /** How many turns a run has. */
  readonly maxTurns: number;
  /** The format of the final report. */
  readonly format: ReportFormat;
  /** How many attempts a turn has. */
  readonly maxRetries: number;
  /** Whether the report is a call of the report tool, or text: then the tool is not offered. */
  readonly reportAs: "call" | "text";
  /** The tool that takes the final report, as it is offered to the model. */
  readonly reportTool: ReportTool;
  /**
   * Runs a framework's loop within the limits, and returns its result.
   *
   * @throws ToolContractError for a misuse; never for what a model, a tool, a limit or an abort did.
   */
  run<M, V>(drive: Drive<T, M, V>): Promise<AIAgentResult<M> & { value?: V }>;
}

/**
 * Creates a session for a framework's adapter or a loop of your own.
 *
 * @throws ToolContractError if an option does not fit.
 * @example
 * ```ts
 * const session = createSession({ targets: [target], maxTurns: 10 }, { where: "myLoop", nameOf: () => names });
 * ```
 * @see docs/session.md
 */
export function createSession<T extends Target<unknown, object>>(
  options: SessionOptions<T>,
  host: SessionHost<T>,
): Session<T> {
  const { targets, ...given } = options;
  const limits = resolveLimits(host.where, given);
  checkTargets(host.where, targets);
  const named = targets.map((target) => ({ target, ...host.nameOf(target) }));
  const { expectedOutputFormat: format } = limits;
  const { outputSchema } = given;
  const validate = host.contract && reportValidator(host.contract);
  const windows = named.map(({ target, provider, model }) => ({ ...target, provider, model }));
  const isCounting = windows.some(({ contextWindow }) => contextWindow !== undefined);

  const settings = host.contract?.settings;

  function start(trace: RunState["trace"], budget: Budget): Started<T> {
    const { transport } = limits;
    const state: RunState = {
      limits,
      trace,
      xml: transport === "native" ? undefined : transport.start(),
      guard: createContextGuard({ targets: windows }),
      isCounting: isCounting || budget.hasMaxTokens || budget.hasMaxCost,
      budget,
      overBudget: undefined,
      progress: createProgress(limits.repeatableTools),
      effects: createEffects(settings?.hasStage === true ? settings.effectOf : undefined),
      questioned: undefined,
      wasQuestioned: false,
      notices: [],
      fallback: undefined,
      said: "",
      wasNudged: false,
      accounting: [],
      turns: 0,
      lastTurn: limits.maxTurns,
      forced: undefined,
      report: undefined,
      reply: undefined,
      failure: undefined,
      broken: undefined,
      misuse: undefined,
      signal: undefined,
      isTimeLimit: host.isTimeLimit ?? (() => false),
      calls: new Map(),
      running: new Set(),
      lookups: [],
      reported: new Set(),
    };
    const turns = createTurns(state, named, host.where);
    const run: SessionRun<T> = {
      turn: turns.turn,
      xml: state.xml,
      get isOver() {
        return isOver(state);
      },
      get isForced() {
        return state.turns + 1 >= state.lastTurn;
      },
      tool: (call) => limitToolCall(state, call),
      endNext: () => force(state, "no_progress", state.turns + 1),
      report: (args, id) => takeReport(state, args, id),
      notJudged: (what, detail) => notJudged(state, what, detail),
    };
    return { run, state, close: turns.close };
  }

  function takeReport(
    state: RunState,
    args: unknown,
    id: string | undefined,
  ): { readonly text: string; readonly isError: boolean } {
    const startedAt = limits.clock();
    const taken = normalizeReport(args, {
      format,
      clock: limits.clock,
      onEvent: limits.onEvent,
      ...(outputSchema && { outputSchema }),
      ...(validate && { validate }),
    });
    const question = taken.status === "ok" ? questionAbout(state, taken.report) : undefined;
    const isInvalid = taken.status === "invalid";
    const isError = isInvalid || question !== undefined;
    const text = isInvalid ? taken.reason : (question ?? "ok");
    const source = id !== undefined && state.xml?.owns(id) ? "xml" : undefined;
    if (isInvalid) force(state, "report_failed", state.turns + 1);
    else if (question === undefined) state.report = taken.report;
    state.accounting.push(
      toolEntry({
        tool: source === "xml" ? `${REPORT_TOOL}_xml` : REPORT_TOOL,
        input: args,
        output: text,
        startedAt,
        endedAt: limits.clock(),
        trace: state.trace,
        source,
        ...(isError && {
          error: isInvalid ? "The report was invalid" : "The report is silent about a failure",
        }),
      }),
    );
    return { text, isError };
  }

  return {
    maxTurns: limits.maxTurns,
    format,
    maxRetries: limits.maxRetries,
    reportAs: limits.reportAs,
    reportTool: reportTool(format, outputSchema),
    run: async (drive) =>
      withTrace(given.trace, async (trace) =>
        withBudget(given, async (budget) => {
          const { run, state, close } = start(trace, budget);
          let value: Awaited<ReturnType<typeof drive.call>> | undefined;
          let ended: LoopEnd;
          try {
            value = await drive.call(run);
            ended = drive.end?.(value) ?? {};
          } catch (thrown) {
            if (ToolContractError.isInstance(thrown)) throw thrown;
            ended = { thrown };
          } finally {
            close();
          }
          const misuse = state.misuse ?? ended.thrown;
          if (ToolContractError.isInstance(misuse)) throw misuse;
          // A stream that is aborted just ends, and frameworks wrap an abort in errors of their own.
          const signal = "callerSignal" in drive ? drive.callerSignal : state.signal;
          if (signal?.aborted === true) {
            ended = { thrown: abortOf(signal, state) };
            // A framework may leave at once.
            for (const giveUp of state.running) giveUp(signal.reason);
          }
          await Promise.all(state.lookups);
          const verdict = settle(state, ended);
          const messages = await conversationOf(drive);
          return {
            ...verdict,
            conversation: messages,
            accounting: state.accounting,
            ...(value !== undefined && { value }),
          };
        }),
      ),
  };
}

/** What a framework cannot say of its messages loses no result. */
async function conversationOf<M>({
  conversation,
}: Pick<Drive<never, M, never>, "conversation">): Promise<readonly M[]> {
  try {
    return await conversation();
  } catch (thrown) {
    if (ToolContractError.isInstance(thrown)) throw thrown;
    return [];
  }
}

interface Started<T> {
  readonly run: SessionRun<T>;
  readonly state: RunState;
  readonly close: () => void;
}

function abortOf({ reason }: AbortSignal, { isTimeLimit }: RunState): ProviderError {
  if (isTimeLimit(reason))
    return new ProviderError("timeout", messageOf(reason), { cause: reason });
  return new ProviderError("aborted", `The run was aborted: ${messageOf(reason)}`, {
    cause: reason,
  });
}

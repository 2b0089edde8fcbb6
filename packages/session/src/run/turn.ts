import { failureFacts } from "@toolcontract/core/adapter";
import {
  providerErrorOf,
  liveSignal,
  messageOf,
  type RateLimits,
  runRequests,
  startRequestClock,
  whileAlive,
} from "../requests/index.ts";
import {
  ProviderError,
  FATAL,
  FINAL_INSTRUCTION,
  type ForcedReason,
  noticeInText,
  type RequestTimeout,
  RunOver,
  type Target,
  TurnFailed,
} from "../shared/index.ts";
import { type TargetRequest, type NamedTarget, openRequest } from "./target-request.ts";
import { requestTimesOf, shorterTimes } from "./request-times.ts";
import { nextTurn, type TurnRequest } from "./offer.ts";
import { createRequestCounter, type RequestTokens } from "./request-tokens.ts";
import type { Reservation } from "./budget.ts";
import { force, forcedReason, isOver, type RunState } from "./state.ts";
import { createTurnSpending } from "./turn-spending.ts";

/** Makes one attempt: sends the request to its target, with its notices, and reports the answer to `attempt`. */
export type Ask<T, R> = (attempt: TargetRequest<T>) => Promise<R>;

/** The turns of one run. */
export interface Turns<T> {
  /**
   * Runs one turn: attempts on the targets in turn, until one of them answers.
   *
   * @throws TurnFailed if all attempts failed or one met a fatal error; RunOver if no turn is left.
   */
  readonly turn: <R>(request: TurnRequest, ask: Ask<T, R>) => Promise<R>;
  /** Ends the attempts whose answer nobody read to its end. */
  readonly close: () => void;
}

/** What all attempts of one turn share. */
interface Turn<T, R> {
  readonly request: TurnRequest;
  readonly ask: Ask<T, R>;
  readonly tokens: RequestTokens;
  /** What was set aside for the first attempt. */
  readonly reserved: Reservation;
  /** Why it is the last one, if it is. */
  readonly reason: ForcedReason | undefined;
  /** What all of them say at their end, and no request of another turn. */
  readonly notices: readonly string[];
}

/** Creates the turns of a run. */
export function createTurns<T extends Target<unknown, object>>(
  state: RunState,
  targets: readonly NamedTarget<T>[],
  where: string,
): Turns<T> {
  const { limits, isCounting, isTimeLimit } = state;
  const { classifyError: classify } = limits.given;
  const open = new Set<TargetRequest<T>>();
  const rateLimits: RateLimits<NamedTarget<T>> = new Map();
  /** Targets that would fail in the same way again in this turn. */
  const spent = new Set<NamedTarget<T>>();
  /** Targets that this turn has asked. */
  const asked = new Set<NamedTarget<T>>();
  /** What each of them answered last in this turn, by its name. */
  const said = new Map<string, string>();
  /** The request before this one. */
  let last: TurnRequest | undefined;
  /** The attempts made in this turn: a stream that broke lets the framework ask for the turn again. */
  let used = 0;
  /** What the first attempt says of the broken stream. */
  let carried: string | undefined;
  const counter = createRequestCounter(state);
  const spending = createTurnSpending(state, targets, where);

  /** Begins a turn, or goes on with one whose answer broke. */
  function begin(request: TurnRequest): void {
    const { broken } = state;
    // With a longer prompt, the framework goes on without the broken answer.
    const isAgain = broken !== undefined && request.messages().length === last?.messages().length;
    if (isAgain ? used >= limits.maxRetries : isOver(state)) throw new RunOver();
    last = request;
    state.broken = undefined;
    if (isAgain) return;
    used = 0;
    spent.clear();
    asked.clear();
    said.clear();
    state.turns += 1;
    state.reply = undefined;
    if (state.turns >= limits.maxTurns) force(state, "max_turns", state.turns);
  }

  /** The targets that are left in this turn, in their order after so many attempts. */
  function targetsFrom(attempts: number): readonly NamedTarget<T>[] {
    const at = attempts % targets.length;
    return [...targets.slice(at), ...targets.slice(0, at)].filter((one) => !spent.has(one));
  }

  /** Whether the turn can go on with a target that it has not asked. */
  function hasOthers(named: NamedTarget<T>): boolean {
    const isLeft = (one: NamedTarget<T>): boolean => one !== named && !asked.has(one);
    return used < limits.maxRetries && targets.some(isLeft);
  }

  /** Notes what broke an answer that was passed on. */
  function noteBroken(named: NamedTarget<T>, error: ProviderError): void {
    const { provider, model } = named;
    const { kind, message, notice, cause, isSpent } = error;
    const failure = new TurnFailed(kind, message, { cause, attempts: used });
    if (isSpent) spent.add(named);
    const [next] = used < limits.maxRetries ? targetsFrom(used) : [];
    const hasNext = !FATAL.has(kind) && next !== undefined;
    if (FATAL.has(kind) || targets.every((one) => spent.has(one))) state.failure = failure;
    else state.broken = failure;
    carried = notice;
    noteFailed({ number: used, provider, model, error, ...(hasNext && { waits: 0, next }) });
  }

  function noteFailed({
    number,
    provider,
    model,
    error,
    waits,
    askedFor,
    next,
  }: Pick<NamedTarget<T>, "provider" | "model"> & {
    readonly number: number;
    readonly error: ProviderError;
    readonly waits?: number | undefined;
    readonly askedFor?: number | undefined;
    readonly next?: NamedTarget<T> | undefined;
  }): void {
    const { status } = failureFacts(error);
    const name = `${provider}/${model}`;
    // The last one comes last.
    said.delete(name);
    said.set(name, messageOf(error));
    limits.onEvent({
      type: "attempt-failed",
      turn: state.turns,
      attempt: number,
      provider,
      model,
      kind: error.kind,
      reason: messageOf(error),
      ...(status !== undefined && { status }),
      ...(waits !== undefined && { waits }),
      ...(askedFor !== undefined && { askedFor }),
      ...(next && { next: { provider: next.provider, model: next.model } }),
      maxRetries: limits.maxRetries,
    });
  }

  /** Makes one attempt: reports the request, sends it, and closes the attempt if that fails. */
  async function attempt<R>(
    named: NamedTarget<T>,
    notice: string | undefined,
    { request, ask, tokens, reserved, reason, notices: turnNotices }: Turn<T, R>,
  ): Promise<R> {
    const { tools, signal, isStreamed = false } = request;
    used += 1;
    asked.add(named);
    carried = undefined;
    const notices = [
      // In XML, the instructions for the next answer say it.
      ...(reason === undefined || state.xml ? [] : [FINAL_INSTRUCTION]),
      ...turnNotices,
      ...(notice === undefined ? [] : [notice]),
    ].map((text) => (limits.reportAs === "text" ? noticeInText(text) : text));
    reportRequest(tokens, notices, reason);
    let isPassedOn = false;
    reserved.release();
    const clock = startRequestClock({
      timeout: shorterTimes(
        requestTimesOf(hasOthers(named), limits.given.requestTimeout, named.target.requestTimeout),
        request.requestTimeout,
      ),
      isPatient: isPatient(limits.given.requestTimeout, named.target.requestTimeout, request),
      isStreamed: typeof isStreamed === "function" ? isStreamed(named.target as never) : isStreamed,
      signal: liveSignal({ signal, isTimeLimit, isLateTaken: isStreamed === false }),
    });
    const opened: TargetRequest<T> = openRequest(state, named, {
      notices,
      onlyReport: reason !== undefined,
      isLastAttempt: used >= limits.maxRetries,
      tools,
      next: state.xml && nextTurn(state, tools, reason !== undefined),
      clock,
      promptTokens: tokens.expectedTokens,
      reservation: spending.hold(tokens),
      broke(thrown) {
        if (isPassedOn)
          noteBroken(named, providerErrorOf(thrown, { classify, signal, isTimeLimit }));
      },
      answered: counter.answered,
      closed: () => open.delete(opened),
    });
    open.add(opened);
    try {
      const answer = await clock.race(async () => whileAlive(clock.alive, async () => ask(opened)));
      isPassedOn = true;
      return answer;
    } catch (thrown) {
      opened.fail(thrown);
      throw thrown;
    }
  }

  function reportRequest(
    tokens: RequestTokens,
    notices: readonly string[],
    reason: ForcedReason | undefined,
  ): void {
    const extra = isCounting
      ? notices.reduce((sum, text) => sum + limits.estimateTokens(text), 0)
      : 0;
    limits.onEvent({
      type: "llm-request",
      turn: state.turns,
      ...tokens,
      newTokens: tokens.newTokens + extra,
      expectedTokens: tokens.expectedTokens + extra,
      ...(reason && { forcedFinalTurnReason: reason }),
    });
  }

  return {
    // The order of a turn: it begins, its request is counted, which may make it the last one, and then attempts are made
    // until one of them answers.
    async turn(request, ask) {
      begin(request);
      const { signal } = request;
      state.signal = signal;
      const tokens = isCounting ? counter.project(request) : NO_TOKENS;
      const reserved = await spending.setAside(tokens);
      const turn = {
        request,
        ask,
        tokens,
        reserved,
        reason: forcedReason(state),
        notices: state.notices.splice(0),
      };
      const earlier = used;
      try {
        return await runRequests({
          // A turn that is asked again goes on with the next target.
          targets: targetsFrom(earlier),
          maxRetries: limits.maxRetries - earlier,
          rateLimitWait: limits.rateLimitWait,
          maxRateLimitWait: limits.maxRateLimitWait,
          rateLimits,
          classify,
          sleep: limits.sleep,
          clock: limits.clock,
          signal,
          isTimeLimit,
          isLateTaken: !request.isStreamed,
          call: (named, { notice = carried }) => attempt(named, notice, turn),
          onFailed: ({ number, target: { provider, model }, ...failed }) =>
            noteFailed({ number: earlier + number, provider, model, ...failed }),
        });
      } catch (thrown) {
        state.failure = withOthers(asFailure(thrown, used), said);
        throw state.failure;
      } finally {
        reserved.release();
      }
    },
    close() {
      const unread = new ProviderError("aborted", "The answer was not read to its end");
      for (const opened of open) {
        const { signal } = opened;
        opened.fail(signal.aborted ? signal.reason : unread);
      }
    },
  };
}

/** Whether nobody has set a time for the first part, so that signs of life are waited for. */
function isPatient(
  ofSession: RequestTimeout | undefined,
  ofTarget: RequestTimeout | undefined,
  { requestTimeout: ofFramework }: TurnRequest,
): boolean {
  return [ofSession, ofTarget, ofFramework].every((one) => one?.firstToken === undefined);
}

const NO_TOKENS: RequestTokens = { ctxTokens: 0, newTokens: 0, schemaTokens: 0, expectedTokens: 0 };

/** Adds what the other targets said: the last one's words alone do not tell why none of them could go on. */
function withOthers(failure: TurnFailed, said: ReadonlyMap<string, string>): TurnFailed {
  const others = [...said].slice(0, -1).filter(([, reason]) => reason !== failure.message);
  if (others.length === 0 || FATAL.has(failure.kind)) return failure;
  const { kind, message, cause, attempts } = failure;
  const words = others.map(([name, reason]) => `${name}: ${reason}`).join("; ");
  return new TurnFailed(kind, `${message} (before that, ${words})`, { cause, attempts });
}

function asFailure(thrown: unknown, attempts: number): TurnFailed {
  if (thrown instanceof TurnFailed) return thrown;
  return new TurnFailed("model", messageOf(thrown), { cause: thrown, attempts });
}

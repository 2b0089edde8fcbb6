import { messageOf, runAttempts } from "../attempts/index.ts";
import {
  AttemptError,
  FINAL_INSTRUCTION,
  REPORT_TOOL,
  RunOver,
  type Target,
  TurnFailed,
} from "../shared/index.ts";
import { type Attempt, openAttempt } from "./attempt.ts";
import { force, isOver, type RunState } from "./state.ts";

/** A tool as a request offers it. */
export interface OfferedTool {
  readonly name: string;
  /** What the model reads about it. */
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments. */
  readonly inputSchema?: unknown;
}

/** What a framework is about to send to a model. */
export interface TurnRequest {
  /** The tools that the framework offers, the report tool among them. */
  readonly tools: readonly OfferedTool[];
  /** The whole prompt, read only if tokens are counted. */
  readonly messages: () => readonly { readonly role: string; readonly text: string }[];
  /** The caller's signal, as the framework passes it on. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes one attempt: sends the request to its target, with its notices, and reports the answer to `attempt`. */
export type Ask<T, R> = (attempt: Attempt<T>) => Promise<R>;

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

/** A target and the names that accounting gives it. */
export interface NamedTarget<T> {
  readonly target: T;
  readonly provider: string;
  readonly model: string;
}

/** Creates the turns of a run. */
export function createTurns<T extends Target<unknown, object>>(
  state: RunState,
  targets: readonly NamedTarget<T>[],
): Turns<T> {
  const { limits, guard } = state;
  const open = new Set<Attempt<T>>();
  /** The messages that an earlier request of this run had. */
  let seen = 0;
  /** The attempts made in this turn: a stream that broke lets the framework ask for the turn again. */
  let used = 0;
  let isBroken = false;
  /** What the first attempt says of the broken stream. */
  let carried: string | undefined;
  const isCounting = targets.some(({ target }) => target.contextWindow !== undefined);

  function begin(): void {
    if (isBroken && used < limits.maxRetries) {
      isBroken = false;
      return;
    }
    if (isBroken || isOver(state)) throw new RunOver();
    used = 0;
    state.turns += 1;
    state.reply = undefined;
    if (state.turns >= limits.maxTurns) force(state, "max_turns", state.turns);
  }

  /** The tokens of what this request says and no earlier one did; the model's own words were counted as its output. */
  function newTokens(request: TurnRequest): number {
    const messages = request.messages();
    const added = messages.slice(seen).filter(({ role }) => role !== "assistant");
    seen = messages.length;
    return added.reduce((sum, { text }) => sum + limits.estimateTokens(text), 0);
  }

  function schemaTokens(tools: readonly OfferedTool[]): number {
    return tools.length === 0 ? 0 : limits.estimateTokens(JSON.stringify(tools));
  }

  /** Projects the request into the window, and forces the last turn if it does not fit. */
  function project(request: TurnRequest): RequestTokens {
    const reportOnly = request.tools.filter(({ name }) => name === REPORT_TOOL);
    const isForced = state.forced !== undefined && state.forced.fromTurn <= state.turns;
    const pendingTokens = newTokens(request);
    const first = guard.turn({
      schemaTokens: schemaTokens(isForced ? reportOnly : request.tools),
      pendingTokens,
    });
    if (!first.exceeded) return first;
    limits.onEvent({ type: "context-exceeded", guard: "turn_preflight", ...first.exceeded });
    force(state, "context", state.turns);
    const shrunk = guard.turn({ schemaTokens: schemaTokens(reportOnly), pendingTokens });
    if (shrunk.exceeded) {
      const { projected_tokens, limit_tokens } = shrunk.exceeded;
      limits.onEvent({ type: "post-shrink", projected_tokens, limit_tokens });
    }
    return shrunk;
  }

  return {
    async turn(request, ask) {
      begin();
      const { signal } = request;
      state.signal = signal;
      const tokens = isCounting ? project(request) : NO_TOKENS;
      const reason =
        state.forced && state.forced.fromTurn <= state.turns ? state.forced.reason : undefined;
      const earlier = used;
      try {
        return await runAttempts({
          // A turn that is asked again goes on with the next target.
          targets: targets.map(
            (_, index) => targets[(index + earlier) % targets.length] as NamedTarget<T>,
          ),
          maxRetries: limits.maxRetries - earlier,
          rateLimitWait: limits.rateLimitWait,
          classify: limits.given.classifyError,
          sleep: limits.sleep,
          clock: limits.clock,
          signal,
          async call(named, { notice = carried }) {
            used += 1;
            carried = undefined;
            const notices = [
              ...(reason === undefined ? [] : [FINAL_INSTRUCTION]),
              ...(notice === undefined ? [] : [notice]),
            ];
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
            let isPassedOn = false;
            const attempt: Attempt<T> = openAttempt(state, named, {
              notices,
              onlyReport: reason !== undefined,
              signal,
              broke: (thrown) => {
                isBroken = isPassedOn;
                carried = thrown instanceof AttemptError ? thrown.notice : undefined;
              },
              closed: () => open.delete(attempt),
            });
            open.add(attempt);
            try {
              const answer = await ask(attempt);
              isPassedOn = true;
              return answer;
            } catch (thrown) {
              attempt.fail(thrown);
              throw thrown;
            }
          },
          onFailed({ number, target: { provider, model }, error: { kind }, waits }) {
            limits.onEvent({
              type: "attempt-failed",
              turn: state.turns,
              attempt: earlier + number,
              provider,
              model,
              kind,
              ...(waits !== undefined && { waits }),
            });
          },
        });
      } catch (thrown) {
        state.failure = asFailure(thrown, used);
        throw state.failure;
      }
    },
    close() {
      for (const attempt of open)
        attempt.fail(new AttemptError("aborted", "The answer was not read to its end"));
    },
  };
}

interface RequestTokens {
  readonly ctxTokens: number;
  readonly newTokens: number;
  readonly schemaTokens: number;
  readonly expectedTokens: number;
}

const NO_TOKENS: RequestTokens = { ctxTokens: 0, newTokens: 0, schemaTokens: 0, expectedTokens: 0 };

function asFailure(thrown: unknown, attempts: number): TurnFailed {
  if (thrown instanceof TurnFailed) return thrown;
  return new TurnFailed("model", messageOf(thrown), { cause: thrown, attempts });
}

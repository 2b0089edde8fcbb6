import { judgeReply, messageOf, replyEnding, type RequestClock } from "../requests/index.ts";
import { llmEntry } from "../accounting/index.ts";
import { priceOfRequest } from "./request-price.ts";
import { isReportName } from "../report/index.ts";
import {
  ProviderError,
  cleanLine,
  type LlmEntry,
  type NextTurn,
  type ReplyFacts,
  REPORT_TOOL,
  type Target,
  type TokenUsage,
} from "../shared/index.ts";
import type { OfferedTool } from "./offer.ts";
import type { Reservation } from "./budget.ts";
import { notJudged, questionAbout, type RunState } from "./state.ts";
import { textReport } from "./text-report.ts";

/** A target and the names that accounting gives it. */
export interface NamedTarget<T> {
  readonly target: T;
  readonly provider: string;
  readonly model: string;
}

/** One request to one target, as an adapter makes it. */
export interface TargetRequest<T> {
  /** Where this request goes. */
  readonly target: T;
  /** Only the report tool is offered. */
  readonly onlyReport: boolean;
  /** User messages for the end of this request; they are never stored. */
  readonly notices: readonly string[];
  /** What the answer may consist of, to be rendered as the last message; set in the XML transports. */
  readonly next: NextTurn | undefined;
  /**
   * What must come before a stream is passed on: anything that is not blank, text or a call, or a call. Until then a
   * failed request can be repeated unseen.
   */
  readonly release: "any" | "answer" | "call";
  /** The request's own signal: the caller's, and the time of the request (`requestTimeout`). */
  readonly signal: AbortSignal;
  /**
   * Waits for the next part of a streamed answer, at most for its time; `isContent` says whether a part holds something of it.
   *
   * @throws ProviderError of the kind `"timeout"`, or the reason of the caller's signal.
   */
  read<P>(step: () => Promise<P>, isContent: (part: P) => boolean): Promise<P>;
  /** Call when a part of the answer arrived without `read`. */
  heard(): void;
  /** Call when the connection showed a sign of life that is not part of the answer, such as a ping. */
  alive(): void;
  /**
   * The tool that a call of this name means. Notices say `final_report` and models change what stands before it, so such
   * a name is the report tool's unless a tool of that name is offered.
   */
  toolName(name: string): string;
  /** Notes a call as soon as it is complete: in a stream, its tool runs before the answer has ended. */
  call(call: { readonly id: string; readonly name: string }): void;
  /**
   * Judges an answer that has ended. `"continue"`: it holds only reasoning, so the adapter asks for another turn with
   * it, within the same model call of the framework.
   *
   * @throws ProviderError if the request is to be repeated.
   */
  end(reply: ReplyFacts): "complete" | "continue";
  /** Notes that the request failed, also in the middle of a stream that was passed on; a second call does nothing. */
  fail(thrown: unknown): void;
}

interface Opening {
  readonly notices: readonly string[];
  readonly onlyReport: boolean;
  readonly isLastAttempt: boolean;
  /** The tools of the request. */
  readonly tools: readonly OfferedTool[];
  readonly next: NextTurn | undefined;
  readonly clock: RequestClock;
  /** What the request is estimated to take. */
  readonly promptTokens: number;
  /** What is set aside for it until it ends. */
  readonly reservation: Reservation;
  /** Called once the answer is counted. */
  readonly answered: () => void;
  /** Called if the request fails after its answer was passed on. */
  readonly broke: (thrown: unknown) => void;
  readonly closed: () => void;
}

type WritableEntry = { -readonly [Name in keyof LlmEntry]: LlmEntry[Name] };

/** Dollars to a billionth: sums of prices have digits that mean nothing. */
function rounded(dollars: number): number {
  return Math.round(dollars * 1e9) / 1e9;
}

const FALSE_USAGE =
  "The provider counts fewer tokens than the conversation can have; the larger estimate is taken";
const NO_PRICE = "The price of a request is unknown, so that maxCost does not count it";

/** Starts a request; its entry is written when it ends. */
export function openRequest<T extends Target<unknown, object>>(
  state: RunState,
  { target, provider, model }: NamedTarget<T>,
  {
    notices,
    onlyReport,
    isLastAttempt,
    tools,
    next,
    clock,
    promptTokens,
    reservation,
    answered,
    broke,
    closed,
  }: Opening,
): TargetRequest<T> {
  const { limits, guard, isCounting, trace, turns: turn } = state;
  const isLast = turn >= state.lastTurn;
  const startedAt = limits.clock();
  let isOpen = true;
  let noted = 0;
  let callsInTurn = 0;
  const mayNudge =
    limits.plainText === "nudge" &&
    !state.wasNudged &&
    !onlyReport &&
    tools.some(({ name }) => name !== REPORT_TOOL);

  /** Writes the entry; it is the last thing that the request does. */
  function close(outcome: { readonly reply?: ReplyFacts; readonly error?: string }): void {
    isOpen = false;
    clock.stop();
    closed();
    reservation.release();
    const times = { startedAt, endedAt: limits.clock() };
    const entry: WritableEntry = llmEntry({ provider, model, trace, ...times, ...outcome });
    state.accounting.push(entry);
    const counted = countedUsage(entry, outcome.reply);
    state.budget.spend(counted.totalTokens);
    state.budget.noteOutput(counted.outputTokens);
    const lookup = price(entry, counted, outcome.reply);
    const report = (): void => limits.onEvent({ type: "entry", turn, entry });
    if (lookup) state.lookups.push(lookup.then(report));
    else report();
  }

  /** What the budget counts: what was reported, or, once an answer had begun, the estimate. */
  function countedUsage({ tokens }: LlmEntry, reply: ReplyFacts | undefined): TokenUsage {
    const hasBegun = reply !== undefined || clock.hasBegun;
    if (tokens.totalTokens > 0 || !hasBegun || !isCounting) return tokens;
    const outputTokens = limits.estimateTokens(reply?.text ?? "");
    return { inputTokens: promptTokens, outputTokens, totalTokens: promptTokens + outputTokens };
  }

  function price(
    entry: WritableEntry,
    counted: TokenUsage,
    reply: ReplyFacts | undefined,
  ): Promise<void> | undefined {
    if (counted.totalTokens === 0 && !reply?.usage) return undefined;
    const set = (usd: number | undefined): void => {
      if (usd !== undefined) {
        // Only what the provider counted is a cost that is known.
        if (reply?.usage) entry.costUsd = rounded(usd);
        state.budget.pay(usd);
      } else if (state.budget.hasMaxCost) {
        notJudged(state, "price", NO_PRICE);
      }
    };
    try {
      const usd = priceOfRequest(limits, { target, provider, model }, counted, reply);
      if (usd instanceof Promise) return usd.then(set, () => undefined);
      set(usd);
    } catch (thrown) {
      notJudged(state, "price", messageOf(thrown));
    }
    return undefined;
  }

  function noteCall({ id, name }: { readonly id: string; readonly name: string }): void {
    noted += 1;
    if (name !== REPORT_TOOL) callsInTurn += 1;
    const isExcess = name !== REPORT_TOOL && callsInTurn > limits.maxToolCallsPerTurn;
    const known = state.calls.get(id);
    // Some models give several calls of one answer the same id.
    if (known?.turn === turn) known.excess.push(isExcess);
    else state.calls.set(id, { turn, excess: [isExcess], asked: 0 });
  }

  /** Repeats the turn, as another one, if the text does not mention an effect that failed. */
  function askAbout(reply: ReplyFacts): void {
    const report = isLastAttempt ? undefined : textReport(reply.text, limits);
    const question = report && questionAbout(state, report);
    if (question === undefined) return;
    state.turns += 1;
    throw new ProviderError("empty", "the report is silent about a failure", { notice: question });
  }

  /** Keeps text that may become the report if nothing better comes. */
  function keep(reply: ReplyFacts, thrown: unknown): void {
    if (reply.calls.length > 0 || textReport(reply.text, limits) === undefined) return;
    const ending = replyEnding(reply);
    if (ending === "failure" || ending === "broken" || ending === "pause") return;
    const isCut = thrown instanceof ProviderError && thrown.kind === "cut";
    if (isCut || mayNudge) state.fallback = reply;
    if (!isCut) state.wasNudged = true;
  }

  return {
    target,
    onlyReport,
    notices,
    next,
    signal: clock.signal,
    read: clock.read,
    heard: clock.heard,
    alive: clock.alive,
    release: releaseOf(limits, isLast),
    toolName(name) {
      const isOffered = tools.some((tool) => tool.name === name);
      return !isOffered && isReportName(name) ? REPORT_TOOL : name;
    },
    call: noteCall,
    end(given) {
      if (!isOpen) return "complete";
      const reply = { ...given, text: state.said + given.text };
      try {
        const verdict = judgeReply(reply, {
          isLast,
          isLastAttempt,
          plainText: limits.plainText === "nudge" && !mayNudge ? "accept" : limits.plainText,
          isReport: (text) => textReport(text, limits) !== undefined,
        });
        if (verdict === "complete" && reply.calls.length === 0) askAbout(reply);
        // In a stream, the first ones were noted when they came.
        for (const call of reply.calls.slice(noted)) noteCall(call);
        if (!reply.usage) notJudged(state, "usage");
        if (reply.calls.length === 0 && replyEnding(reply) === undefined) {
          notJudged(state, "stop-reason", unknownReason(reply));
        }
        if (isCounting && !guard.commit(reply.usage, limits.estimateTokens(given.text), target)) {
          notJudged(state, "usage", FALSE_USAGE);
        }
        state.said = verdict === "continue" ? reply.text : "";
        answered();
        state.reply = reply;
        close({ reply });
        return verdict;
      } catch (thrown) {
        keep(reply, thrown);
        close({ error: messageOf(thrown), reply });
        broke(thrown);
        throw thrown;
      }
    },
    fail(thrown) {
      if (!isOpen) return;
      close({ error: messageOf(thrown) });
      broke(thrown);
    },
  };
}

function unknownReason({ finishReason }: ReplyFacts): string {
  return finishReason === undefined
    ? "The provider does not say why an answer ended; it is taken as complete"
    : cleanLine(
        `The provider ended an answer for a reason that is not known (${finishReason.slice(0, 64)}); it is taken as complete`,
      );
}

/** Text is not shown before it is known to be the report. */
function releaseOf(
  { transport, plainText, expectedOutputFormat: format }: RunState["limits"],
  isLast: boolean,
): TargetRequest<unknown>["release"] {
  const isStructured = format === "json" || format === "slack-block-kit";
  if (isStructured || (plainText === "retry" && !isLast)) return "call";
  // Text is not a report if a tag follows.
  if (transport !== "native") return "call";
  return isLast ? "answer" : "any";
}

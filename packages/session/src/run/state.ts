import type { ContextGuard } from "../context/index.ts";
import { unsaidFailure } from "../shared/index.ts";
import type {
  AccountingEntry,
  FinalReport,
  ForcedReason,
  ReplyFacts,
  TraceIds,
  TurnFailed,
  XmlRun,
} from "../shared/index.ts";
import type { Budget } from "./budget.ts";
import type { Effects } from "./effects.ts";
import type { RunLimits } from "./options.ts";
import type { Progress } from "./progress.ts";

/** What one run of a session knows; no two runs share any of it. */
export interface RunState {
  readonly limits: RunLimits;
  readonly guard: ContextGuard;
  /** Whether a target has a window; without one nothing is estimated. */
  readonly isCounting: boolean;
  readonly trace: TraceIds | undefined;
  /** Set in the XML transports. */
  readonly xml: XmlRun | undefined;
  readonly accounting: AccountingEntry[];
  /** How many turns have begun. */
  turns: number;
  /** The turn after which none begins. */
  lastTurn: number;
  /** Why the last turn is the last, and the first turn in which nothing but the report runs. */
  forced: { readonly reason: ForcedReason; readonly fromTurn: number } | undefined;
  report: FinalReport | undefined;
  /** The answer of the last turn, once it has ended. */
  reply: ReplyFacts | undefined;
  /** The turn that failed, and why. */
  failure: TurnFailed | undefined;
  /** What broke the answer of this turn after it was passed on; the framework may ask for it again. */
  broken: TurnFailed | undefined;
  /** What was thrown for a misuse where a framework would show it to the model. */
  misuse: unknown;
  /** Whether a time limit of the framework's own aborted a signal with this reason, and not the caller. */
  readonly isTimeLimit: (reason: unknown) => boolean;
  /** The caller's signal, once the framework has passed it on. */
  signal: AbortSignal | undefined;
  /** Text that becomes the report if nothing better comes: it was cut, or was answered with a nudge. */
  fallback: ReplyFacts | undefined;
  /** The text of an answer that was paused and goes on. */
  said: string;
  /** Whether text without a call was answered with a nudge. */
  wasNudged: boolean;
  readonly budget: Budget;
  /** The option whose limit made the last turn the last. */
  overBudget: "maxTokens" | "maxCost" | undefined;
  readonly progress: Progress;
  readonly effects: Effects;
  /** The report about which the model was asked, if nothing better comes. */
  questioned: FinalReport | undefined;
  /** Whether the model was asked about what its report is silent about. */
  wasQuestioned: boolean;
  /** What the next request says, and no other. */
  readonly notices: string[];
  /** The calls of each answer, by id. */
  readonly calls: Map<string, KnownCall>;
  /** Writes the entry of each tool that has not ended. */
  readonly running: Set<(thrown: unknown) => void>;
  /** Prices that are still being looked up. */
  readonly lookups: Promise<void>[];
  /** What has been reported as not judged. */
  readonly reported: Set<string>;
}

/** What is known of a call before it runs. */
interface KnownCall {
  readonly turn: number;
  /** For each call of this id in the turn, in order: whether it is one too many. */
  readonly excess: boolean[];
  /** How many of them have asked whether they may run. */
  asked: number;
}

/** Makes a turn the last one; an earlier reason stays. */
export function force(state: RunState, reason: ForcedReason, fromTurn: number): void {
  state.lastTurn = Math.min(state.lastTurn, fromTurn);
  if (state.forced && state.forced.fromTurn <= fromTurn) return;
  state.forced = { reason, fromTurn };
}

/** Why nothing but the report runs in the turn that has begun; undefined if other calls may. */
export function forcedReason({ forced, turns }: RunState): ForcedReason | undefined {
  return forced && forced.fromTurn <= turns ? forced.reason : undefined;
}

/** Whether no other turn begins. */
export function isOver({ report, failure, turns, lastTurn }: RunState): boolean {
  return report !== undefined || failure !== undefined || turns >= lastTurn;
}

/** Asks the model about a report that is silent about an effect that did not succeed: once, and if a turn is left. */
export function questionAbout(state: RunState, report: FinalReport): string | undefined {
  const { limits, effects, turns, lastTurn, wasQuestioned } = state;
  if (limits.unverified !== "ask" || wasQuestioned || turns >= lastTurn) return undefined;
  const unsaid = effects.unsaid(report);
  if (unsaid.length === 0) return undefined;
  state.wasQuestioned = true;
  state.questioned = report;
  return unsaidFailure(unsaid);
}

type NotJudged = Extract<Parameters<RunLimits["onEvent"]>[0], { type: "not-judged" }>;

const DETAILS: Readonly<Record<NotJudged["what"], string>> = {
  usage: "The provider reports no usage; tokens are estimated",
  "stop-reason":
    "The final report has no closing tag and the provider does not say why the answer ended; it is taken as complete",
  "provider-tool": "Tools that run at the provider are outside of the limits",
  middleware: "Middleware ends the run or repeats requests outside of the limits",
  model:
    "An agent's own model is not one of the targets and is never asked: the targets answer for every agent of the run. Give an agent with another model a session of its own",
  price: "The price of a request is unknown",
};

/** Reports once per run that something could not be judged. */
export function notJudged(
  state: RunState,
  what: NotJudged["what"],
  detail: string = DETAILS[what],
): void {
  if (state.reported.has(what)) return;
  state.reported.add(what);
  state.limits.onEvent({ type: "not-judged", what, detail });
}

import { parseRejection } from "../message/index.ts";
import { LANES, type Lane, meantTool } from "../shared/index.ts";
import type { ModelTurn, TurnCall, TurnResult } from "./model-turn.ts";
import { type AttemptCount, type Counts, NO_ATTEMPTS, settleTurn } from "./settle-turn.ts";

/**
 * The key that all invented tool names share, so that they neither evade the limit nor use memory. A name that was meant
 * to be a declared one counts as that tool.
 */
export const UNKNOWN_TOOL = "(unknown)";
const UNKNOWN_NAME = "VAL-012";
const NO_COUNTS: Counts = new Map();

/** What resets a count besides success: `"run"`, a new run or user message; `"thread"`, nothing. */
export type AttemptScope = "run" | "thread";

/**
 * Options of countAttempts().
 *
 * @example
 * ```ts
 * const options: CountAttemptsOptions = { declaredTools: new Set(["book_flight"]), lane: "validation" };
 * ```
 * @see docs/attempts-and-escalation.md
 */
export interface CountAttemptsOptions {
  /** The declared tools; names that are nearly theirs count as them, and all others share one count, `(unknown)`. */
  readonly declaredTools?: ReadonlySet<string>;
  /**
   * The lane to count.
   *
   * @default "validation"
   */
  readonly lane?: Lane;
  /**
   * A promise of the host: lists with the same first turn begin with the same turns, and a turn changes no more once another
   * follows it. Then what was counted is not looked at again, and counting costs the same however long the list is.
   *
   * @default false
   */
  readonly appendOnly?: boolean;
}

/**
 * Counts a tool's failed attempts from the turns of a conversation, oldest first.
 *
 * Each lane has its own count, which a failure in another lane neither raises nor resets.
 *
 * @remarks Pass the turns before the current one; the current one may be included while its calls are unanswered. If
 * a user message follows the last turn, append a turn with `afterUserMessage` and no results.
 * @example
 * ```ts
 * const attempts = countAttempts(turns, "book", "run");
 * const admission = await contract.admit(call, { tools, conversationId: "chat-1", attempts });
 * ```
 * @see docs/attempts-and-escalation.md
 */
export function countAttempts(
  turns: readonly ModelTurn[],
  toolName: string,
  scope: AttemptScope,
  options: CountAttemptsOptions = {},
): AttemptCount {
  const { declaredTools, lane = "validation", appendOnly = false } = options;
  const key = toolKey(toolName, declaredTools);
  const progress = progressIn(turns, { key, scope, declaredTools, appendOnly });
  let { counts, runId } = progress;
  for (let index = progress.turns.length; index < turns.length; index += 1) {
    const turn = turns[index] as ModelTurn;
    if (scope === "run" && beginsRun(turn, runId)) counts = NO_COUNTS;
    runId = turn.runId ?? runId;
    const isLast = index === turns.length - 1;
    const keyOf = keysIn(turn, declaredTools);
    const calls = turn.calls.filter((call) => keyOf(call) === key);
    if (calls.length > 0) {
      // The last turn is not over, and invented names mean the same only beside the same declared ones.
      const isFinal = !isLast && key !== UNKNOWN_TOOL;
      counts = isFinal
        ? settleOnce(counts, turn, calls, key)
        : settleTurn(counts, turn, calls, key, isLast);
    }
    if (!isLast) {
      progress.turns.push({ turn, results: [...turn.results] });
      progress.counts = counts;
      progress.runId = runId;
    }
  }
  return readCounts(counts, lane);
}

/** What is counted. */
interface Query {
  readonly key: string;
  readonly scope: AttemptScope;
  readonly declaredTools: ReadonlySet<string> | undefined;
  readonly appendOnly: boolean;
}

/** How far a conversation was counted: its finished turns, and their results. */
interface CountProgress {
  readonly turns: { readonly turn: ModelTurn; readonly results: readonly TurnResult[] }[];
  readonly declaredTools: ReadonlySet<string> | undefined;
  counts: Counts;
  runId: string | undefined;
}

/** By the first turn of a conversation, then by what is counted. A host that keeps its turns reads each of them once. */
const conversations = new WeakMap<ModelTurn, Map<string, CountProgress>>();

function progressIn(
  turns: readonly ModelTurn[],
  { key, scope, declaredTools, appendOnly }: Query,
): CountProgress {
  const [first] = turns;
  const fresh: CountProgress = { turns: [], declaredTools, counts: NO_COUNTS, runId: undefined };
  if (first === undefined) return fresh;
  const known = conversations.get(first) ?? new Map<string, CountProgress>();
  conversations.set(first, known);
  const name = `${scope} ${key}`;
  const progress = known.get(name);
  if (
    progress &&
    isSameSet(progress.declaredTools, declaredTools) &&
    (appendOnly ? progress.turns.length < turns.length : continuesCount(progress, turns))
  )
    return progress;
  known.set(name, fresh);
  return fresh;
}

/** Whether a conversation begins with the turns that were counted; the last of it is not over. */
function continuesCount({ turns: counted }: CountProgress, turns: readonly ModelTurn[]): boolean {
  if (counted.length >= turns.length) return false;
  for (const [index, { turn, results }] of counted.entries()) {
    if (turn !== turns[index] || results.length !== turn.results.length) return false;
    for (const [at, result] of results.entries()) if (result !== turn.results[at]) return false;
  }
  return true;
}

function isSameSet(
  one: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || (one.size === other.size && [...one].every((name) => other.has(name)));
}

/** What a turn made of the counts before it. */
interface CountedTurn {
  readonly before: Counts;
  readonly calls: readonly TurnCall[];
  readonly results: readonly TurnResult[];
  readonly after: Counts;
}

/**
 * The steps of each tool, by the calls of a turn.
 *
 * Conversations grow by appending, and each call counts in all that came before it: without these, every turn would be
 * read again for every later call.
 */
const countedTurns = new WeakMap<readonly TurnCall[], Map<string, CountedTurn>>();

/** Settles a turn that is over; does nothing again for the same calls and results after the same counts. */
function settleOnce(
  before: Counts,
  turn: ModelTurn,
  calls: readonly TurnCall[],
  toolName: string,
): Counts {
  const known = countedTurns.get(turn.calls)?.get(toolName);
  if (
    known?.before === before &&
    isSameList(calls, known.calls, Object.is) &&
    isSameList(turn.results, known.results, isSameResult)
  )
    return known.after;
  const after = settleTurn(before, turn, calls, toolName, false);
  const ofTurn = countedTurns.get(turn.calls) ?? new Map<string, CountedTurn>();
  countedTurns.set(
    turn.calls,
    ofTurn.set(toolName, { before, calls, results: [...turn.results], after }),
  );
  return after;
}

function isSameList<T>(
  list: readonly T[],
  other: readonly T[],
  isSame: (one: T, another: T) => boolean,
): boolean {
  return (
    list.length === other.length && list.every((item, index) => isSame(item, other[index] as T))
  );
}

function isSameResult(one: TurnResult, other: TurnResult): boolean {
  return (
    one.toolCallId === other.toolCallId &&
    one.isError === other.isError &&
    one.content === other.content &&
    one.marker === other.marker
  );
}

function readCounts(counts: Counts, lane: Lane): AttemptCount {
  const own = counts.get(lane) ?? NO_ATTEMPTS;
  const others = [...counts].filter(([name]) => name !== lane);
  const closedBy = LANES.find((one) => one !== "validation" && counts.get(one)?.blocked === true);
  return {
    ...own,
    ...(others.length > 0 && { lanes: Object.fromEntries(others) }),
    ...(closedBy && { closedBy }),
  };
}

/** Whether a tool has no attempts left in some lane, so that it should not be offered. */
export function isToolClosed({ blocked, closedBy }: AttemptCount): boolean {
  return blocked || closedBy !== undefined;
}

/** The name under which a tool's attempts are counted. */
function toolKey(toolName: string, declaredTools?: ReadonlySet<string>): string {
  if (declaredTools === undefined || declaredTools.has(toolName)) return toolName;
  return meantTool(toolName, [...declaredTools]) ?? UNKNOWN_TOOL;
}

/** Names what each call of a turn counts under: among the unknown ones if its tool, or the one that was meant, was not offered then. */
function keysIn(
  { results }: ModelTurn,
  declaredTools: ReadonlySet<string> | undefined,
): (call: TurnCall) => string {
  if (declaredTools === undefined) return ({ name }) => name;
  const refused = new Map<string, TurnResult>();
  for (const result of results) if (isRefusedName(result)) refused.set(result.toolCallId, result);
  return ({ id, name }) => {
    const key = toolKey(name, declaredTools);
    const result = refused.get(id);
    return result && wasNotOffered(result, key === name) ? UNKNOWN_TOOL : key;
  };
}

/** Whether a result may be the answer to a call that was refused for its name. */
function isRefusedName({ isError, marker, content }: TurnResult): boolean {
  if (!isError) return false;
  return marker?.errors === undefined
    ? content?.includes(UNKNOWN_NAME) === true
    : marker.errors.some(({ errorCode }) => errorCode === UNKNOWN_NAME);
}

/** Whether the tool of that name was not offered; for a near name, whether none that was offered was meant. */
function wasNotOffered({ marker, content = "" }: TurnResult, isExact: boolean): boolean {
  if (isExact && marker?.errors) return true;
  const refused = parseRejection(content)?.errors.find((one) => one.errorCode === UNKNOWN_NAME);
  return refused !== undefined && (isExact || refused.hint === undefined);
}

function beginsRun(turn: ModelTurn, runId: string | undefined): boolean {
  const changed = turn.runId !== undefined && runId !== undefined && turn.runId !== runId;
  return changed || turn.afterUserMessage === true;
}

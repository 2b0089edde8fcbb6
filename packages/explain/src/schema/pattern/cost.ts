import {
  type PatternAutomaton,
  type PatternState,
  SYMBOL_COUNT,
  toAutomaton,
} from "./automaton.ts";
import { readPattern } from "./syntax.ts";

/** Exact repetition counts are tried first; an automaton without them is smaller. */
const UNROLLINGS = [64, 1] as const;

const MAX_WALK_STEPS = 2_000_000;

const NEVER: Visits = { total: 0, atOnce: 0 };

/** An upper bound for the steps of a backtracking engine on any string of a length; never decreasing. */
export type PatternCost = (length: number) => number;

/**
 * Estimates the worst case of an expression that compiles with these flags; Infinity if it is unknown.
 *
 * @remarks A backtracking engine takes as many steps as there are ways to read the prefixes of a string. If no ways
 * part and meet again, there is at most one way to each state, so the number of steps is linear.
 */
export function patternCost(source: string, flags: string): PatternCost {
  const tree = readPattern(source, flags);
  for (const unroll of tree ? UNROLLINGS : []) {
    const automaton = tree && toAutomaton(tree, unroll);
    const ambiguity = automaton && findAmbiguity(automaton);
    if (automaton && ambiguity) return costOf(automaton, ambiguity);
  }
  return () => Infinity;
}

function costOf(
  { states, anchored, lookbehinds, idle }: PatternAutomaton,
  ambiguity: PatternAmbiguity,
): PatternCost {
  const stages = stagesOf(states, ambiguity).filter(({ entries }) => entries.length > 0);
  const weight = Math.max(1, idle / 4);
  const work = states.map(
    ({ next }) => weight * [...next.values()].reduce((sum, ways) => sum + ways, 1),
  );
  const mostWork = Math.max(...work);
  return (length) => {
    const places = length * (1 + lookbehinds) + 1;
    const starts = anchored ? 1 : places;
    const explosion = ambiguity.branching ** places;
    const visits = states.map((): Visits => ({ total: 0, atOnce: 0 }));
    visits[0] = { total: starts, atOnce: 1 };
    for (const stage of stages) {
      const entered = visitsOf(stage, visits, places, explosion);
      for (const state of stage.states) visits[state] = entered;
    }
    const byStage = visits.reduce((sum, { total }, state) => sum + total * (work[state] ?? 1), 0);
    const byCharacter = 2 * starts * mostWork * (ambiguity.branching === 1 ? places : explosion);
    return Math.min(byStage, byCharacter);
  };
}

/** How often a state is visited: in total, and by ways that have read the same text. */
interface Visits {
  readonly total: number;
  readonly atOnce: number;
}

function visitsOf(
  stage: PatternStage,
  visits: readonly Visits[],
  places: number,
  explosion: number,
): Visits {
  let entries = 0;
  let together = 0;
  let highest = 0;
  for (const { from, ways } of stage.entries) {
    const { total, atOnce } = visits[from] ?? NEVER;
    entries += total * ways;
    together += atOnce * ways;
    highest = Math.max(highest, atOnce * ways);
  }
  if (entries === 0) return NEVER;
  if (stage.doubling) return { total: entries * explosion, atOnce: entries * explosion };
  // Ways that entered a loop earlier are still in it; other states are left with the next character.
  const met = stage.cyclic ? entries : together;
  const atOnce = Math.min(entries, stage.meeting ? met : highest);
  if (!stage.recurring) return { total: atOnce, atOnce };
  const everywhere = places * atOnce;
  return { total: stage.cyclic ? everywhere : Math.min(entries, everywhere), atOnce };
}

/** A loop, or a state outside any loop; every way enters it at most once. */
interface PatternStage {
  readonly states: readonly number[];
  readonly entries: readonly PatternEntry[];
  readonly cyclic: boolean;
  /** Ways that part and meet inside it. */
  readonly doubling: boolean;
  /** Ways that parted before it and meet in it. */
  readonly meeting: boolean;
  /** Visited at more than one place of a string. */
  readonly recurring: boolean;
}

/** An edge into a stage, and the number of ways along it. */
interface PatternEntry {
  readonly from: number;
  readonly ways: number;
}

interface LoopDraft {
  readonly states: number[];
  readonly entries: PatternEntry[];
  cyclic: boolean;
}

/** Returns the stages of an automaton in topological order; the first precedes the expression. */
function stagesOf(
  states: readonly PatternState[],
  ambiguity: PatternAmbiguity,
): readonly PatternStage[] {
  const drafts = draftStages(states);
  const earlier = states.map(() => 0n);
  const stages: PatternStage[] = [];
  for (const loop of inOrder(states, drafts)) {
    const draft = drafts.get(loop);
    if (!draft) continue;
    const before = draft.entries.reduce(
      (all, { from }) => all | (earlier[from] ?? 0n) | (1n << BigInt(from)),
      0n,
    );
    for (const state of draft.states) earlier[state] = before;
    stages.push({
      ...draft,
      doubling: ambiguity.doubling.has(loop),
      meeting: draft.states.some((state) => ambiguity.meetings.has(state)),
      // A way that has not reached a state yet while another is in it may reach it later.
      recurring:
        draft.cyclic ||
        draft.states.some((state) => ((ambiguity.alongside[state] ?? 0n) & before) !== 0n),
    });
  }
  return stages;
}

function draftStages(states: readonly PatternState[]): Map<number, LoopDraft> {
  const drafts = new Map<number, LoopDraft>();
  for (const [state, { loop }] of states.entries()) {
    const draft = drafts.get(loop) ?? { states: [], entries: [], cyclic: false };
    draft.states.push(state);
    drafts.set(loop, draft);
  }
  for (const [from, { next, loop }] of states.entries()) {
    for (const [to, ways] of next) {
      const draft = drafts.get(states[to]?.loop ?? loop);
      if (states[to]?.loop !== loop) draft?.entries.push({ from, ways });
      else if (draft) draft.cyclic = true;
    }
  }
  return drafts;
}

function inOrder(
  states: readonly PatternState[],
  drafts: ReadonlyMap<number, LoopDraft>,
): readonly number[] {
  const waiting = new Map([...drafts].map(([loop, { entries }]) => [loop, entries.length]));
  const order = [...drafts.keys()].filter((loop) => waiting.get(loop) === 0);
  for (const loop of order) {
    for (const from of drafts.get(loop)?.states ?? []) {
      for (const to of states[from]?.next.keys() ?? []) {
        const target = states[to]?.loop ?? loop;
        if (target === loop) continue;
        const left = (waiting.get(target) ?? 0) - 1;
        waiting.set(target, left);
        if (left === 0) order.push(target);
      }
    }
  }
  return order;
}

/** Where two ways through the same text part and meet: the only cause of slow backtracking. */
interface PatternAmbiguity {
  /** For every state, the states that another way through the same text can be in, as a bit set. */
  readonly alongside: readonly bigint[];
  /** States that two ways can reach at once from different states. */
  readonly meetings: ReadonlySet<number>;
  /** Loops with two ways around them on the same text, so every round may double the work. */
  readonly doubling: ReadonlySet<number>;
  /** The maximum number of ways that one character can lead on from one state. */
  readonly branching: number;
}

/** The states that a state leads to, by symbol. */
type Moves = readonly (readonly number[])[];

interface CostWalk {
  readonly alongside: readonly bigint[];
  readonly meetings: ReadonlySet<number>;
}

/** Follows every pair of ways through an automaton; undefined if that takes too long. */
function findAmbiguity({ states }: PatternAutomaton): PatternAmbiguity | undefined {
  const moves = movesOf(states, false);
  const whole = walkPairs(moves, [0]);
  const rounds = walkPairs(movesOf(states, true), [...states.keys()]);
  if (!whole || !rounds) return undefined;
  const doubling = new Set<number>();
  for (const { next, loop } of states) {
    for (const [to, ways] of next) {
      if (states[to]?.loop === loop && (ways > 1 || rounds.meetings.has(to))) doubling.add(loop);
    }
  }
  return { ...whole, doubling, branching: branchingOf(states, moves) };
}

function branchingOf(states: readonly PatternState[], moves: readonly Moves[]): number {
  let most = 1;
  for (const [from, { next }] of states.entries()) {
    for (const reached of moves[from] ?? []) {
      // Skipping text before the expression is not a branch: each starting position is counted separately.
      const ways = reached.reduce((sum, to) => sum + (to === 0 ? 0 : (next.get(to) ?? 0)), 0);
      most = Math.max(most, ways);
    }
  }
  return most;
}

function movesOf(states: readonly PatternState[], withinLoops: boolean): readonly Moves[] {
  const symbols = distinctSymbols(states);
  return states.map(({ next, loop }) => {
    const reached = [...next.keys()].filter((to) => !withinLoops || states[to]?.loop === loop);
    return symbols.map((symbol) => reached.filter((to) => states[to]?.reads[symbol] === 1));
  });
}

/** Returns one symbol for each set of symbols that no state distinguishes. */
function distinctSymbols(states: readonly PatternState[]): readonly number[] {
  const sets = [...new Set(states.map(({ reads }) => reads))];
  const distinct = new Map<string, number>();
  for (let symbol = 0; symbol < SYMBOL_COUNT; symbol += 1) {
    distinct.set(sets.map((reads) => reads[symbol]).join(""), symbol);
  }
  return [...distinct.values()];
}

function walkPairs(moves: readonly Moves[], starts: readonly number[]): CostWalk | undefined {
  const size = moves.length;
  const seen = new Uint8Array(size * size);
  const alongside = moves.map(() => 0n);
  const meetings = new Set<number>();
  const open = starts.map((start) => start * size + start);
  let steps = 0;
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const one = Math.floor(pair / size);
    const two = pair % size;
    for (const [symbol, ones] of (moves[one] ?? []).entries()) {
      const twos = moves[two]?.[symbol] ?? [];
      steps += 1 + ones.length * twos.length;
      if (steps > MAX_WALK_STEPS) return undefined;
      for (const a of ones) {
        for (const b of twos) {
          if (a === b && one !== two) meetings.add(a);
          const reached = Math.min(a, b) * size + Math.max(a, b);
          if (seen[reached] === 1) continue;
          seen[reached] = 1;
          open.push(reached);
          if (a === b) continue;
          alongside[a] = (alongside[a] ?? 0n) | (1n << BigInt(b));
          alongside[b] = (alongside[b] ?? 0n) | (1n << BigInt(a));
        }
      }
    }
  }
  return { alongside, meetings };
}

import type { PatternAutomaton, PatternState } from "./pattern-automaton.ts";
import { SYMBOL_COUNT } from "./pattern-symbols.ts";

/** Where two ways through one text part and meet, which is all that makes backtracking slow. */
export interface PatternAmbiguity {
  /** For every state the states that another way through the same text can be in, as a bit set. */
  readonly alongside: readonly bigint[];
  /** States that two ways can come to at once from different states. */
  readonly meetings: ReadonlySet<number>;
  /** Loops with two ways around them on the same text, so that every round may double the work. */
  readonly doubling: ReadonlySet<number>;
  /** The most ways that one character can lead on from one state. */
  readonly branching: number;
}

/** By symbol, the states that a state leads to. */
type Moves = readonly (readonly number[])[];

interface Walk {
  readonly alongside: readonly bigint[];
  readonly meetings: ReadonlySet<number>;
}

const MAX_STEPS = 2_000_000;

/** Follows every two ways through an automaton side by side; undefined where that takes too long. */
export function findAmbiguity({ states }: PatternAutomaton): PatternAmbiguity | undefined {
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
      // Skipping text before the expression is no branch: each place to start from is counted by itself.
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

/** One symbol for all that no state tells apart. */
function distinctSymbols(states: readonly PatternState[]): readonly number[] {
  const sets = [...new Set(states.map(({ reads }) => reads))];
  const distinct = new Map<string, number>();
  for (let symbol = 0; symbol < SYMBOL_COUNT; symbol += 1) {
    distinct.set(sets.map((reads) => reads[symbol]).join(""), symbol);
  }
  return [...distinct.values()];
}

function walkPairs(moves: readonly Moves[], starts: readonly number[]): Walk | undefined {
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
      if (steps > MAX_STEPS) return undefined;
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

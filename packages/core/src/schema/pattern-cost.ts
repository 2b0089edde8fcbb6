import { type PatternStage, stagesOf } from "./pattern-stages.ts";
import { findAmbiguity, type PatternAmbiguity } from "./pattern-ambiguity.ts";
import { type PatternAutomaton, toAutomaton } from "./pattern-automaton.ts";
import { readPattern } from "./pattern-syntax.ts";

/** Bounds the steps that a backtracking engine takes on any text of a length; grows with the length. */
export type PatternCost = (length: number) => number;

/** How often a state is visited: in all, and by ways that have read the same text. */
interface Visits {
  readonly total: number;
  readonly atOnce: number;
}

const NEVER: Visits = { total: 0, atOnce: 0 };

/** Exact repetition counts are tried first; the automaton that forgets them is smaller. */
const UNROLLINGS = [64, 1] as const;

/**
 * Estimates the worst case of an expression that compiles with these flags; Infinity where none is known.
 *
 * @remarks An engine that goes back takes as many steps as there are ways to read the beginnings of a text. Without
 * ways that part and meet again there is at most one to each state, which makes the steps linear.
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
  // Ways that came into a loop earlier are still in it; other states are left with the next character.
  const met = stage.cyclic ? entries : together;
  const atOnce = Math.min(entries, stage.meeting ? met : highest);
  if (!stage.recurring) return { total: atOnce, atOnce };
  const everywhere = places * atOnce;
  return { total: stage.cyclic ? everywhere : Math.min(entries, everywhere), atOnce };
}

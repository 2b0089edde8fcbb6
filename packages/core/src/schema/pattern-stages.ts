import type { PatternAmbiguity } from "./pattern-ambiguity.ts";
import type { PatternState } from "./pattern-automaton.ts";

/** A loop, or a state outside of loops, that every way enters at most once. */
export interface PatternStage {
  readonly states: readonly number[];
  readonly entries: readonly PatternEntry[];
  readonly cyclic: boolean;
  /** Ways that part and meet inside it. */
  readonly doubling: boolean;
  /** Ways that parted before it and meet in it. */
  readonly meeting: boolean;
  /** Visited at more than one place of a text. */
  readonly recurring: boolean;
}

/** An edge into a stage, and the number of ways along it. */
interface PatternEntry {
  readonly from: number;
  readonly ways: number;
}

interface Draft {
  readonly states: number[];
  readonly entries: PatternEntry[];
  cyclic: boolean;
}

/** The stages of an automaton, each after all that lead to it; the first is the place before the expression. */
export function stagesOf(
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
      // A way that is still before a state while another is in it may come to it later.
      recurring:
        draft.cyclic ||
        draft.states.some((state) => ((ambiguity.alongside[state] ?? 0n) & before) !== 0n),
    });
  }
  return stages;
}

function draftStages(states: readonly PatternState[]): Map<number, Draft> {
  const drafts = new Map<number, Draft>();
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
  drafts: ReadonlyMap<number, Draft>,
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

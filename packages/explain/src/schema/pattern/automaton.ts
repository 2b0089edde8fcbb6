import type { LookaroundNode, PatternNode, RepeatNode } from "./syntax.ts";

const SPACES =
  "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
const ASCII = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));
const SPACE = ASCII.length;
const OTHER = SPACE + 1;

/** A class or escape that contains only ASCII and blanks, so certainly nothing else of Unicode. */
const NARROW = /^(?!\[\^|\.$)(?:[\0-\x5b\x5d-\x7f]|\\[^DSWPpucxk\d])*$/;

/** The number of symbols: each ASCII character, all other blanks as one, and everything else as one. */
export const SYMBOL_COUNT: number = OTHER + 1;

const MAX_STATES = 1_000;
const MAX_EDGES = 20_000;
const MOST_WAYS = 1e9;
const EMPTY: Part = { first: new Map(), last: new Map(), empty: 1 };
const ANYTHING = new Uint8Array(SYMBOL_COUNT).fill(1);

/** The states of a backtracking engine; state 0 precedes the expression and reads what an unanchored one skips. */
export interface PatternAutomaton {
  readonly states: readonly PatternState[];
  readonly anchored: boolean;
  /** The number of lookbehinds; each may read the text once more, backwards. */
  readonly lookbehinds: number;
  /** The number of assertions that may be tried between two characters. */
  readonly idle: number;
}

/** A position in an expression that reads one character. */
export interface PatternState {
  readonly reads: Uint8Array;
  readonly next: Ways;
  /** The id of the outermost loop that contains it; a state outside any loop has a unique id. */
  readonly loop: number;
}

/** States, with the number of ways to each that read nothing. */
type Ways = Map<number, number>;

/**
 * Builds the automaton of an expression; undefined if it would be too large.
 *
 * @remarks A counted repetition of more than `unroll` states becomes a loop, which has at least as many ways through.
 */
export function toAutomaton(tree: PatternNode, unroll: number): PatternAutomaton | undefined {
  if (sizeOf(tree, unroll) >= MAX_STATES) return undefined;
  const draft: Draft = {
    states: [],
    unroll,
    symbols: new Map(),
    loops: 0,
    edges: 0,
    lookbehinds: 0,
  };
  const anchored = isAnchored(tree);
  const start = addState(draft, ANYTHING);
  if (!anchored) link(draft, start, start, 1);
  const whole = build(draft, tree, { backwards: false, elsewhere: false });
  for (const [state, ways] of whole.first) link(draft, start, state, ways);
  if (draft.edges > MAX_EDGES) return undefined;
  return { states: draft.states, anchored, lookbehinds: draft.lookbehinds, idle: idleOf(tree) };
}

interface Draft {
  readonly states: PatternState[];
  readonly unroll: number;
  readonly symbols: Map<string, Uint8Array>;
  loops: number;
  edges: number;
  lookbehinds: number;
}

/** A part of the expression: its first and last states, and the number of ways through it that read nothing. */
interface Part {
  readonly first: Ways;
  readonly last: Ways;
  readonly empty: number;
}

interface PartSurroundings {
  readonly loop?: number;
  readonly backwards: boolean;
  /** Reads a different part of the text than the states around it, so any symbol may occur. */
  readonly elsewhere: boolean;
}

function build(draft: Draft, node: PatternNode, around: PartSurroundings): Part {
  switch (node.kind) {
    case "assertion":
      return EMPTY;
    case "character":
      return character(draft, node.source, node.flags, around);
    case "sequence":
      return (around.backwards ? node.nodes.toReversed() : node.nodes).reduce<Part>(
        (before, next) => partsInSequence(draft, before, build(draft, next, around)),
        EMPTY,
      );
    case "choice":
      return node.nodes.map((choice) => build(draft, choice, around)).reduce(eitherPart);
    case "repeat":
      return repetition(draft, node, around);
    case "lookaround":
      return lookaround(draft, node, around);
  }
}

function character(draft: Draft, source: string, flags: string, around: PartSurroundings): Part {
  const key = `${flags}/${source}`;
  const reads = around.elsewhere ? ANYTHING : (draft.symbols.get(key) ?? symbolsOf(source, flags));
  if (!around.elsewhere) draft.symbols.set(key, reads);
  const here: Ways = new Map([[addState(draft, reads, around.loop), 1]]);
  return { first: here, last: here, empty: 0 };
}

/** Returns the symbols that a one-character expression may read: perhaps too many, never too few. */
function symbolsOf(source: string, flags: string): Uint8Array {
  const symbols = new Uint8Array(SYMBOL_COUNT);
  try {
    const probe = new RegExp(source, `${flags}g`);
    for (const { index } of (ASCII + SPACES).matchAll(probe)) symbols[Math.min(index, SPACE)] = 1;
  } catch {
    return symbols.fill(1);
  }
  // Case folding leads out of ASCII: the Kelvin sign matches k.
  if (flags.includes("i") || !NARROW.test(source)) symbols[OTHER] = 1;
  return symbols;
}

function partsInSequence(draft: Draft, one: Part, two: Part): Part {
  linkAll(draft, one.last, two.first, 1);
  return {
    first: addWays(one.first, two.first, one.empty),
    last: addWays(two.last, one.last, two.empty),
    empty: Math.min(one.empty * two.empty, MOST_WAYS),
  };
}

function eitherPart(one: Part, two: Part): Part {
  return {
    first: addWays(one.first, two.first, 1),
    last: addWays(one.last, two.last, 1),
    empty: Math.min(one.empty + two.empty, MOST_WAYS),
  };
}

function repetition(draft: Draft, node: RepeatNode, around: PartSurroundings): Part {
  if (node.max === 0) return EMPTY;
  if (!isUnrolled(sizeOf(node.node, draft.unroll), node.max, draft.unroll)) {
    return loop(draft, build(draft, node.node, { loop: draft.loops++, ...around }), node.min);
  }
  const copies = Array.from({ length: node.max }, () => build(draft, node.node, around));
  return copies.reduceRight<Part>((after, copy, index) => {
    const part = partsInSequence(draft, copy, after);
    return index < node.min ? part : { ...part, empty: Math.max(1, part.empty) };
  }, EMPTY);
}

/** Required rounds may read nothing, so a character can be read in any of them. */
function loop(draft: Draft, round: Part, min: number): Part {
  const { empty } = round;
  const idle = empty <= 1 ? 1 + min * empty : (empty ** (min + 1) - 1) / (empty - 1);
  const ways = Math.min(Math.max(idle, empty), MOST_WAYS);
  linkAll(draft, round.last, round.first, ways);
  return {
    first: addWays(new Map(), round.first, ways),
    last: addWays(new Map(), round.last, ways),
    empty: min === 0 ? Math.max(1, empty) : Math.min(empty ** min, MOST_WAYS),
  };
}

/** A lookaround is tried from its position, and nothing continues from its end. */
function lookaround(draft: Draft, node: LookaroundNode, around: PartSurroundings): Part {
  if (node.behind) draft.lookbehinds += 1;
  const inside: PartSurroundings = {
    backwards: node.behind,
    elsewhere: around.elsewhere || node.behind,
  };
  const { first, empty } = build(draft, node.node, inside);
  return { first, last: new Map(), empty: Math.max(1, empty) };
}

function addState(draft: Draft, reads: Uint8Array, owner: number = draft.loops++): number {
  return draft.states.push({ reads, next: new Map(), loop: owner }) - 1;
}

function linkAll(draft: Draft, from: Ways, to: Ways, ways: number): void {
  for (const [state, before] of from) {
    if (draft.edges > MAX_EDGES) return;
    for (const [next, after] of to) link(draft, state, next, before * ways * after);
  }
}

function link(draft: Draft, from: number, to: number, ways: number): void {
  const next = draft.states[from]?.next;
  next?.set(to, (next.get(to) ?? 0) + ways);
  draft.edges += 1;
}

function addWays(one: Ways, two: Ways, times: number): Ways {
  if (times === 0) return one;
  const total = new Map(one);
  for (const [state, ways] of two) total.set(state, (total.get(state) ?? 0) + ways * times);
  return total;
}

/** Whether a repetition is small enough to be written out as copies. */
function isUnrolled(size: number, max: number, unroll: number): boolean {
  return max === 1 || size * max <= unroll;
}

/** Counts the states of an expression, at least 1, with its small repetitions written out. */
function sizeOf(node: PatternNode, unroll: number): number {
  switch (node.kind) {
    case "assertion":
    case "character":
      return 1;
    case "sequence":
    case "choice": {
      const size = node.nodes.reduce((sum, part) => sum + sizeOf(part, unroll), 0);
      return Math.max(1, size);
    }
    case "lookaround":
      return sizeOf(node.node, unroll);
    case "repeat": {
      const size = sizeOf(node.node, unroll);
      return isUnrolled(size, node.max, unroll) ? Math.max(1, size * node.max) : size;
    }
  }
}

/** Counts the assertions that an expression may try without reading a character. */
function idleOf(node: PatternNode): number {
  switch (node.kind) {
    case "assertion":
      return 1;
    case "character":
      return 0;
    case "sequence":
    case "choice":
      return node.nodes.length === 0
        ? 1
        : node.nodes.reduce((idle, part) => idle + idleOf(part), 0);
    case "lookaround":
      return 1 + idleOf(node.node);
    case "repeat":
      return idleOf(node.node) * Math.max(1, node.min);
  }
}

/** Whether an expression matches only at the start of a string. */
function isAnchored(node: PatternNode): boolean {
  if (node.kind === "assertion") return node.start;
  if (node.kind === "sequence") return node.nodes[0] !== undefined && isAnchored(node.nodes[0]);
  if (node.kind === "choice") return node.nodes.every(isAnchored);
  return node.kind === "repeat" && node.min > 0 && isAnchored(node.node);
}

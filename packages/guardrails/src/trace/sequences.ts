import { createHash, randomUUID } from "node:crypto";
import { type RecentMap, createRecentMap } from "@toolcontract/core/adapter";
import type { AttemptFailure } from "../shared/index.ts";
import { MAX_FAILURES, keepFailures } from "./kept-failures.ts";
import type { Records } from "./records.ts";
import { type RunOfTool, runKey } from "./run-of-tool.ts";

const MAX_SEQUENCES = 10_000;
const MAX_KEYS = 1_000;
const MAX_STARTS = 1_000;
const MAX_TURNS = 100;

/** How a sequence of attempts ended; the lane is the one whose budget was spent. */
export type SequenceEnd = "succeeded" | "repaired" | "guardrail" | "outcome" | "stopped";

/** Where a call belongs: its attempts and those of its tool before it, until one succeeds, are a sequence. */
export interface TracedCall extends RunOfTool {
  readonly callId: string;
  readonly turnId?: string | undefined;
  /** The agent that makes the call, if several work in one conversation. */
  readonly agent?: string | undefined;
}

/** The attempts of one tool in one run, up to the turn in which all its calls succeeded. */
export interface Sequence {
  /** The id of its first call; if calls of other turns had it too, a number tells them apart. */
  readonly id: string;
  /** The calls that have begun a sequence of the tool in this run, by their ids. */
  readonly starts: RecentMap<string, Starts>;
  /** Oldest first; it only grows, and after a hundred drops the oldest. */
  readonly failures: AttemptFailure[];
  /** How many retries each lane has granted. */
  guardrailRetries: number;
  outcomeRetries: number;
  /** True if the tool's budget was spent before: that is reported only once. */
  readonly isSpent: boolean;
  /** How it ended and in which turn, unless another call of that turn goes on with it. */
  ended: { readonly end: SequenceEnd; readonly turn: string } | undefined;
  /** The calls that have failed in the latest turn in which one did: until they succeed, the sequence goes on. */
  failing: { readonly turn: string | undefined; readonly calls: Set<unknown> };
  /** Tells keys of this process from those of others, where nothing else does. */
  readonly own: string;
  /** The idempotency keys that were given, by what is the same in those of equal calls. */
  keys: RecentMap<string, GivenKey[]> | undefined;
}

/** The latest turns in which a call with one id has begun a sequence, and how many there were before them. */
interface Starts {
  readonly turns: string[];
  earlier: number;
}

/** An idempotency key, and the call that has it. */
export interface GivenKey {
  readonly key: string;
  callId: string;
  turn: string;
  hasSucceeded: boolean;
  hasFailed: boolean;
  /** True if the same call has this key in another process. */
  readonly isLasting: boolean;
}

/** The sequences that are under way, bounded in number. */
export interface Sequences {
  /** Finds out how a sequence began that another process has left; nothing is waited for without records. */
  find(identity: TracedCall): Promise<void> | undefined;
  /** Returns the sequence that a call belongs to; it begins one if the last one ended in an earlier turn. */
  of(identity: TracedCall): Sequence;
  /** Ends a sequence: the next call begins another one. */
  end(identity: TracedCall): void;
  /** Adds a failed attempt to its sequence. */
  failed(sequence: Sequence, identity: TracedCall, failure: AttemptFailure): void;
  /** The sequence is over: another one begins without its failures. */
  over(sequence: Sequence, identity: TracedCall): void;
  /** The failed attempts of a tool in a run: of all its sequences if they are kept, else of the latest. */
  failuresOf(run: RunOfTool): Promise<readonly AttemptFailure[]>;
  /** Resolves once everything was written that is kept. */
  written(): Promise<unknown> | undefined;
}

/** Creates the register of sequences. */
export function createSequences(records?: Records): Sequences {
  const open = createRecentMap<string, Sequence>(MAX_SEQUENCES);
  const own = randomUUID();
  const kept = records && keepFailures(records);
  return {
    find(identity) {
      const key = runKey(identity);
      const isKnown = identity.knowsRun === false || open.get(key) !== undefined;
      if (kept === undefined || isKnown) return undefined;
      return kept.underWay(identity).then((failures) => {
        if (open.get(key) !== undefined) return;
        const sequence = newSequence(identity, own);
        sequence.failures.push(...failures);
        open.set(key, sequence);
      });
    },
    of(identity) {
      if (identity.knowsRun === false) return newSequence(identity, own);
      const key = runKey(identity);
      const known = open.get(key);
      const isOver = known?.ended !== undefined && known.ended.turn !== turnOf(identity);
      if (known && !isOver) return known;
      const end = known?.ended?.end;
      const isSpent = end === "guardrail" || end === "outcome" || (known?.isSpent ?? false);
      const sequence = newSequence(
        identity,
        own,
        known?.starts,
        isSpent && end !== "succeeded" && end !== "repaired",
      );
      open.set(key, sequence);
      return sequence;
    },
    end: (identity) => void open.take(runKey(identity)),
    failed(sequence, identity, failure) {
      if (sequence.failures.length >= MAX_FAILURES) sequence.failures.shift();
      sequence.failures.push(failure);
      if (identity.knowsRun !== false) kept?.note(identity, failure, sequence.failures.length);
    },
    over(sequence, identity) {
      const isKept = identity.knowsRun !== false && sequence.failures.length > 0;
      if (isKept) kept?.note(identity, undefined, 0);
    },
    async failuresOf(run) {
      return kept ? kept.all(run) : [...(open.get(runKey(run))?.failures ?? [])];
    },
    written: () => kept?.written(),
  };
}

function newSequence(
  identity: TracedCall,
  own: string,
  starts: Sequence["starts"] = createRecentMap(MAX_STARTS),
  isSpent: boolean = false,
): Sequence {
  return {
    id: startOf(identity, starts),
    starts,
    own,
    failures: [],
    guardrailRetries: 0,
    outcomeRetries: 0,
    isSpent,
    ended: undefined,
    failing: NONE_FAILED,
    keys: undefined,
  };
}

const NONE_FAILED: Sequence["failing"] = Object.freeze({ turn: undefined, calls: new Set() });

/** Some providers give calls of every turn the same ids; a call that is sent again belongs to the same turn. */
function startOf(identity: TracedCall, starts: Sequence["starts"]): string {
  const { callId } = identity;
  const turn = turnOf(identity);
  const known = starts.get(callId);
  if (known === undefined) {
    starts.set(callId, { turns: [turn], earlier: 0 });
    return callId;
  }
  const { turns } = known;
  let index = turns.lastIndexOf(turn);
  if (index === -1) index = turns.push(turn) - 1;
  const number = known.earlier + index;
  if (turns.length > MAX_TURNS) {
    turns.shift();
    known.earlier += 1;
  }
  return number === 0 ? callId : `${callId} ${number}`;
}

/** The turn of a call; a host that names none has turns of one call. */
export function turnOf({ turnId, callId }: TracedCall): string {
  return turnId ?? callId;
}

/**
 * Gives a call the key under which a service may deduplicate its effect: the same for the same arguments in one sequence,
 * another for other arguments, other sequences, and each of several equal calls. A call that repeats a failed one has its
 * key. Undefined if the run is unknown: a call that is repeated could not be given the same.
 *
 * @remarks Where nothing tells calls apart over processes, each process has keys of its own: a service must not take one payment for
 * another.
 */
export function giveKey(
  sequence: Sequence,
  identity: TracedCall,
  args: unknown,
): GivenKey | undefined {
  if (identity.knowsRun === false) return undefined;
  const { conversationId, runId, tool, callId, agent } = identity;
  const isLasting = runId !== undefined || isUniqueId(sequence.id);
  const place = [conversationId, runId, sequence.id, tool, canonicalArguments(args)];
  const more = [...(agent === undefined ? [] : [agent]), ...(isLasting ? [] : [sequence.own])];
  const hash = createHash("sha256");
  hash.update(JSON.stringify([...place, ...more]));
  const key = hash.digest("hex").slice(0, 32);
  const turn = turnOf(identity);
  sequence.keys ??= createRecentMap(MAX_KEYS);
  const given = sequence.keys.get(key) ?? [];
  sequence.keys.set(key, given);
  // Once more in its turn, as after an interrupt or if an approval is sent twice. Without ids, that cannot be seen.
  const own = given.find((one) => callId !== "" && one.callId === callId && one.turn === turn);
  if (own) return own;
  // One that is under way is another call, such as that of an agent beside this one.
  const left = given.find((one) => one.turn !== turn && one.hasFailed && !one.hasSucceeded);
  if (left) return Object.assign(left, { callId, turn, hasFailed: false });
  const number = given.length === 0 ? "" : `-${given.length}`;
  const state = { hasSucceeded: false, hasFailed: false, isLasting };
  const added: GivenKey = { key: `${key}${number}`, callId, turn, ...state };
  given.push(added);
  return added;
}

const RANDOM = /[0-9A-Za-z]{9,}(?: \d+)?$/;

/**
 * Whether a call's id looks as if no other call had it: providers end theirs in random letters and digits. Others count the calls of a
 * message, such as `call_0`.
 */
function isUniqueId(id: string): boolean {
  const [end = ""] = RANDOM.exec(id) ?? [];
  return /\d/.test(end) && (end.length > 12 || /[A-Za-z]/.test(end));
}

/** JSON with sorted keys; what JSON does not know is its string. */
function canonicalArguments(value: unknown): string {
  const sorted = (_: string, member: unknown): unknown => {
    if (typeof member === "bigint") return String(member);
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    const entries = Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  };
  try {
    return JSON.stringify(value, sorted) ?? String(value);
  } catch {
    return String(value);
  }
}

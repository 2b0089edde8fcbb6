import { createHash } from "node:crypto";
import { createRecentMap } from "@toolcontract/core/adapter";
import type { AttemptFailure } from "../shared/index.ts";

const MAX_SEQUENCES = 10_000;

/** How a sequence of attempts ended; the lane is the one whose budget was spent. */
export type SequenceEnd = "succeeded" | "repaired" | "guardrail" | "outcome" | "stopped";

/** A tool in one run of a conversation. */
export interface RunOfTool {
  readonly tool: string;
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
}

/** Where a call belongs: its attempts and those of its tool before it, until one succeeds, are a sequence. */
export interface CallPlace extends RunOfTool {
  readonly callId: string;
  readonly turnId?: string | undefined;
}

/** The attempts of one tool in one run, up to the turn in which all its calls succeeded. */
export interface Sequence {
  /** The id of its first call. */
  readonly id: string;
  /** Oldest first; it only grows, and after a hundred drops the oldest. */
  readonly failures: AttemptFailure[];
  /** How many retries each lane has granted. */
  guardrailRetries: number;
  outcomeRetries: number;
  /** How it ended and in which turn, unless another call of that turn goes on with it. */
  ended: { readonly end: SequenceEnd; readonly turn: string } | undefined;
  /** The keys given out in the current turn, so that two equal calls of one turn have two. */
  keys: { readonly turn: string | undefined; readonly seen: Map<string, number> };
}

/** The sequences that are under way, bounded in number. */
export interface Sequences {
  /** Returns the sequence that a call belongs to; it begins one if the last one ended in an earlier turn. */
  of(place: CallPlace): Sequence;
  /** Ends a sequence: the next call begins another one. */
  end(place: CallPlace): void;
}

/** Creates the register of sequences. */
export function createSequences(): Sequences {
  const open = createRecentMap<string, Sequence>(MAX_SEQUENCES);
  return {
    of(place) {
      const key = keyOf(place);
      const known = open.get(key);
      const isOver = known?.ended !== undefined && known.ended.turn !== turnOf(place);
      if (known && !isOver) return known;
      const sequence = newSequence(place.callId);
      open.set(key, sequence);
      return sequence;
    },
    end: (place) => void open.take(keyOf(place)),
  };
}

function newSequence(id: string): Sequence {
  return {
    id,
    failures: [],
    guardrailRetries: 0,
    outcomeRetries: 0,
    ended: undefined,
    keys: { turn: undefined, seen: new Map() },
  };
}

/** The turn of a call; a host that names none has turns of one call. */
export function turnOf({ turnId, callId }: CallPlace): string {
  return turnId ?? callId;
}

/** Names a tool in a run; no two share a name. */
export function keyOf({ conversationId, runId, tool }: RunOfTool): string {
  return JSON.stringify([conversationId, runId, tool]);
}

/**
 * The key under which a service may deduplicate an effect: the same for the same arguments in one sequence, another for
 * other arguments, other sequences, and each of several equal calls of one turn.
 */
export function idempotencyKey(sequence: Sequence, place: CallPlace, args: unknown): string {
  const hash = createHash("sha256");
  const { conversationId, runId, tool } = place;
  const turn = turnOf(place);
  hash.update(JSON.stringify([conversationId, runId, sequence.id, tool, canonical(args)]));
  const key = hash.digest("hex").slice(0, 32);
  if (sequence.keys.turn !== turn) sequence.keys = { turn, seen: new Map() };
  const { seen } = sequence.keys;
  const earlier = seen.get(key) ?? 0;
  seen.set(key, earlier + 1);
  return earlier === 0 ? key : `${key}-${earlier}`;
}

/** JSON with sorted keys; what JSON does not know is its string. */
function canonical(value: unknown): string {
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

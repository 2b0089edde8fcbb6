import {
  type AttemptCount,
  type AttemptScope,
  countAttempts,
  type ModelTurn,
} from "@toolcontract/core";
import type { ModelMessage } from "ai";
import type { RecentCalls } from "./recent-calls.ts";
import { turnsFromMessages } from "./turns-from-messages.ts";

type Messages = readonly ModelMessage[];

/** Counts failed attempts from messages and keeps nothing itself. */
export interface AttemptCounter {
  /** The failed attempts of a tool. */
  readonly count: (messages: Messages, toolName: string) => AttemptCount;
  /** The tools whose attempts are spent. */
  readonly blockedIn: (messages: Messages) => ReadonlySet<string>;
  /** Notes of what history a step's messages are left: the user's own prepareStep may prune it. */
  readonly notePruned: (sent: Messages, whole: Messages) => void;
}

/** What counting needs to know of the tool set. */
export interface CounterParts {
  readonly scope: AttemptScope;
  readonly toolNames: readonly string[];
  readonly markerOf: RecentCalls["markerOf"];
}

/** Makes the counter of one guarded tool set. */
export function createAttemptCounter({ scope, toolNames, markerOf }: CounterParts): AttemptCounter {
  const declaredTools = new Set(toolNames);
  // Held only as long as the SDK holds the messages.
  const wholeOf = new WeakMap<Messages, Messages>();
  const known = new WeakMap<
    Messages,
    { readonly length: number; readonly turns: readonly ModelTurn[] }
  >();
  // All calls of a step are handed the same list.
  const turnsOf = (messages: Messages): readonly ModelTurn[] => {
    const whole = wholeOf.get(messages) ?? messages;
    const read = known.get(whole);
    if (read?.length === whole.length) return read.turns;
    const turns = turnsFromMessages(whole, markerOf);
    known.set(whole, { length: whole.length, turns });
    return turns;
  };
  const count = (turns: readonly ModelTurn[], name: string): AttemptCount =>
    countAttempts(turns, name, scope, { declaredTools });
  return {
    count: (messages, toolName) => count(turnsOf(messages), toolName),
    blockedIn(messages) {
      const turns = turnsOf(messages);
      const called = new Set(turns.flatMap(({ calls }) => calls.map(({ name }) => name)));
      return new Set([...called].filter((name) => count(turns, name).blocked));
    },
    notePruned(sent, whole) {
      if (whole.length > sent.length) wholeOf.set(sent, whole);
    },
  };
}

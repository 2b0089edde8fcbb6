import type { ResultMarker } from "./result-marker.ts";

/** One assistant message of a conversation with the tool results that answer it. */
export interface ModelTurn {
  readonly calls: readonly TurnCall[];
  readonly results: readonly TurnResult[];
  /** The run this turn belongs to, where the host has such an id. */
  readonly runId?: string;
  /** True for the first turn after a message of the user. */
  readonly afterUserMessage?: boolean;
}

/** A tool call as a conversation's history shows it. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
}

/** A tool result as a conversation's history shows it. */
export interface TurnResult {
  readonly toolCallId: string;
  readonly isError: boolean;
  readonly content?: string;
  readonly marker?: ResultMarker;
}

import type { ResultMarker } from "./result-marker.ts";

/** One assistant message with the tool results that answer it. */
export interface ModelTurn {
  readonly calls: readonly TurnCall[];
  readonly results: readonly TurnResult[];
  /** The run that the turn belongs to, if the host has run ids. */
  readonly runId?: string;
  /** True for the first turn after a user message. */
  readonly afterUserMessage?: boolean;
}

/** A tool call in a conversation's history. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as the history keeps them. */
  readonly arguments?: unknown;
}

/** A tool result in a conversation's history. */
export interface TurnResult {
  readonly toolCallId: string;
  /** Whether the result is marked as an error. */
  readonly isError: boolean;
  /** The text of the result. */
  readonly content?: string;
  readonly marker?: ResultMarker;
}

/** A request, as every host reports it. */
export interface SeenRequest {
  /** The names of the tools on offer, in order. */
  readonly tools: readonly string[];
  readonly messages: readonly SeenMessage[];
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** A message; one that answers several calls is reported as one for each. */
export interface SeenMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** All of its text, without reasoning. */
  readonly text: string;
  /** The ids of the calls, of an assistant message. */
  readonly calls?: readonly string[];
  /** The call that a tool message answers. */
  readonly id?: string;
}

/** The result of a run. */
export interface SeenResult {
  readonly success: boolean;
  readonly finalReport?: object;
  readonly error?: string;
  readonly accounting: readonly object[];
  readonly conversation: readonly SeenMessage[];
}

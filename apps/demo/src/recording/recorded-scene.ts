/** A scene as it was played, for a page that cannot play it. */
export interface RecordedScene {
  readonly name: string;
  readonly title: string;
  /** What goes wrong in practice, in one sentence. */
  readonly story: string;
  readonly about: "guardrails" | "session";
  readonly turns: readonly RecordedTurn[];
}

/** What happens in one turn of the model, in order. */
export interface RecordedTurn {
  readonly today: readonly RecordedLine[];
  readonly contract: readonly RecordedLine[];
}

/** What one of those who take part sends, reads or does. */
export interface RecordedLine {
  readonly kind: LineKind;
  readonly text: string;
  /** What the model pays to read it, counted in o200k. */
  readonly tokens?: number;
}

/**
 * Who it is from or for. The model `sends` and `says`; it reads what `ran`, or what the `contract` or the `session`
 * answers instead. A session acts on a `request`. The `state` is that of one call, what is `left` that of the whole
 * run, and `outside` what cannot be seen in it. An `outcome` and a `result` go to the application, `person` to a person.
 */
export type LineKind =
  | "sends"
  | "says"
  | "ran"
  | "contract"
  | "session"
  | "request"
  | "state"
  | "left"
  | "outside"
  | "outcome"
  | "person"
  | "result";

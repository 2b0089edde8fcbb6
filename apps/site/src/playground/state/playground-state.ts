/** Everything the playground shows follows from this. */
export interface PlaygroundState {
  readonly tool: ToolText;
  /** The arguments of the earlier attempts, as they were sent; oldest first. */
  readonly sent: readonly string[];
  /** The arguments of the current attempt, or a whole answer with its calls. */
  readonly call: string;
  readonly options: PlaygroundOptions;
}

/** The tool as it was typed. */
export interface ToolText {
  /** `"json"` is a JSON Schema or a tool that holds one; `"zod"` is code, with a schema of zod or valibot. */
  readonly language: "json" | "zod";
  readonly text: string;
}

/** The code of a tool, which a worker has to run; undefined for JSON. */
export function zodCodeOf({ language, text }: ToolText): string | undefined {
  return language === "zod" ? text : undefined;
}

/** The options of the contract; the names are those of core's options. */
export interface PlaygroundOptions {
  readonly style: "standard" | "compact";
  readonly maxAttempts: number;
  readonly maxErrors: number;
  /** The longest message, in UTF-16 units. */
  readonly maxLength: number;
  /** How many characters of a value a message shows. */
  readonly maxValuePreview: number;
  /** With `"warn"`, warnings are shown to the model too. */
  readonly unknownFields: "schema" | "warn" | "reject";
  readonly onBlocked: "forgive" | "refuse";
  readonly repairJson: boolean;
  readonly closeDangling: boolean;
  readonly unwrapStrings: boolean;
  /** Names of fields whose values a redactor hides, separated by commas; core hides secrets anyway. */
  readonly redact: string;
}

/** Core's defaults. */
export const DEFAULT_OPTIONS: PlaygroundOptions = {
  style: "standard",
  maxAttempts: 3,
  maxErrors: 10,
  maxLength: 2_000,
  maxValuePreview: 100,
  unknownFields: "schema",
  onBlocked: "forgive",
  repairJson: true,
  closeDangling: false,
  unwrapStrings: true,
  redact: "",
};

/** A tool without requirements, called without arguments. */
export const EMPTY_STATE: PlaygroundState = {
  tool: { language: "json", text: "{}" },
  sent: [],
  call: "{}",
  options: DEFAULT_OPTIONS,
};

/** How many calls a conversation holds, the current one included. */
export const MAX_CALLS = 20;

/** How many calls are judged, those of answers with several included. */
export const MAX_TURNS = 100;

/** The conversation after the current call was sent, with the next one; the oldest call is left out if there are too many. */
export function withNextCall(state: PlaygroundState, next: string = state.call): PlaygroundState {
  return { ...state, sent: [...state.sent, state.call].slice(1 - MAX_CALLS), call: next };
}

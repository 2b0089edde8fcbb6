import { DEFAULT_OPTIONS, type PlaygroundOptions, type PlaygroundState } from "../state/index.ts";

/** A conversation to begin with. */
export interface Example {
  /** Its name in links. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in one sentence. */
  readonly sentence: string;
  /** Loads its state; an example may be in a file of its own. */
  readonly load: () => Promise<PlaygroundState>;
}

/** What differs between examples. */
export interface ExampleParts {
  /** A tool as JSON, or the text of a zod expression. */
  readonly tool: object | string;
  /** The arguments as the model wrote them, or as JSON. */
  readonly call: object | string;
  readonly sent?: readonly object[];
  readonly options?: Partial<PlaygroundOptions>;
}

/** Writes an example as a person would have typed it. */
export function exampleState({ tool, call, sent = [], options }: ExampleParts): PlaygroundState {
  return {
    tool:
      typeof tool === "string"
        ? { language: "zod", text: tool }
        : { language: "json", text: JSON.stringify(tool, null, 2) },
    sent: sent.map((args) => JSON.stringify(args, null, 2)),
    call: typeof call === "string" ? call : JSON.stringify(call, null, 2),
    options: { ...DEFAULT_OPTIONS, ...options },
  };
}

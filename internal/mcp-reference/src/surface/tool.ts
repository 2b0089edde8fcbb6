/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** What a tool may do while it answers a call, on either SDK line. */
export interface Exchange {
  readonly args: Json;
  /** Sends a log message that belongs to this call. */
  readonly log: (words: string) => Promise<void>;
  /** Reports progress, if the client asked for it. */
  readonly progress: (done: number) => Promise<void>;
  /** Sends the client a request over the session and returns the result. */
  readonly ask: (
    method: "elicitation/create" | "sampling/createMessage",
    params: Json,
  ) => Promise<Json>;
  /** Closes the stream of this call, so that the client polls. */
  readonly closeStream: () => void;
}

/** A tool that both SDK lines serve. */
export interface ReferenceTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly run: (exchange: Exchange) => Promise<Content> | Content;
}

/** The parts of a tool's result. */
export type Content = readonly Part[];

/** One part of a result or of a prompt. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string };
    };

/** A part of plain text. */
export function text(words: string): Part {
  return { type: "text", text: words };
}

/** A JSON object in a request or response. */
export type Json = Readonly<Record<string, unknown>>;

/** What a model does in one turn. */
export interface WireTurn {
  readonly text?: string;
  /** The id of the answer; a server has a new one for each. */
  readonly id?: string;
  /** The model that says it; the one asked, from a server. */
  readonly model?: string;
  /** What it thinks before: Anthropic's thinking, `reasoning_content` of servers that speak OpenAI's wire. */
  readonly reasoning?: string;
  /** Its calls, with arguments as a string, which need not be JSON in a stream. */
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: string;
  }[];
  /** By default what follows from the calls; any other string is sent as it is. */
  readonly finishReason?: "stop" | "length" | "tool-calls" | (string & {});
  /** `"none"` for a server that reports none, which Anthropic's never is; one token each by default. */
  readonly usage?: WireUsage | "none";
  /** How many characters a delta of a stream has; all by default. */
  readonly delta?: number;
}

/** Tokens of a turn. */
export interface WireUsage {
  /** All tokens of the prompt. */
  readonly input: number;
  readonly output: number;
  /** Those of the prompt that were read from a cache. */
  readonly cached?: number;
  /** Those that Anthropic wrote to its cache, for five minutes and for an hour. */
  readonly written?: { readonly minutes: number; readonly hour: number };
  /** Those that OpenAI heard in the prompt and spoke in the answer. */
  readonly audio?: { readonly heard: number; readonly spoken: number };
}

/** What is wrong with a request. */
export interface WireError {
  readonly status: number;
  readonly message: string;
  /** OpenAI's `code`, Anthropic's `type`; by default what goes with the status. */
  readonly code?: string;
}

/** How a provider sends turns and errors. */
export interface WireForm {
  body(turn: WireTurn): Json;
  /** The events of a stream, in order. */
  events(turn: WireTurn): readonly Json[];
  error(error: WireError): Json;
}

/** The usage to report; undefined for none. */
export function usageOf({ usage = { input: 1, output: 1 } }: WireTurn): WireUsage | undefined {
  return usage === "none" ? undefined : usage;
}

/** Divides a string as a stream does; never within a character. */
export function deltasOf(text: string, { delta = Infinity }: WireTurn): readonly string[] {
  const characters = Array.from(text);
  if (characters.length <= delta) return [text];
  const count = Math.ceil(characters.length / delta);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * delta, (index + 1) * delta).join(""),
  );
}

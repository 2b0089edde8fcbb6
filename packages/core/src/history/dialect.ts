import { isRecord, parseJson } from "@toolcontract/explain/adapter";

/** A message, a call or an answer of a history, which may be anything. */
export type Json = Readonly<Record<string, unknown>>;

/** A call as it is to be sent. */
export interface SentCall {
  /** The id, which no other call of the history has. */
  readonly id: string;
  /** The name, which every provider takes. */
  readonly name: string;
  /** What replaces the arguments; undefined if they stay. */
  readonly args?: Json | undefined;
}

/** How an API or a framework writes calls and answers in its messages, which may be of any shape. */
export interface Dialect {
  /** The calls of a message. */
  callsOf(message: Json): readonly Json[];
  /** What a call has. */
  read(call: Json): { readonly id: unknown; readonly name: unknown; readonly args: unknown };
  /** Whether the API takes arguments; some take only the text of an object. */
  takes(args: unknown, onlyObjects: boolean, call: Json): boolean;
  /** A call as it is to be sent. */
  write(call: Json, sent: SentCall): Json;
  /** The message with its calls replaced. */
  withCalls(message: Json, calls: readonly Json[]): Json;
  /** The answers that a message has. */
  answersOf(message: Json): readonly Json[];
  /** The id of the call that is answered. */
  answeredId(answer: Json): unknown;
  /** The answer under the id of its call, with words if it is an error. */
  readdress(answer: Json, sent: SentCall, like: Json): Json;
  /** The answer to a call that has none. */
  unknown(sent: SentCall, like: Json, call: Json): Json;
  /** The message without its answers; undefined if nothing is left. */
  rest(message: Json): Json | undefined;
  /** The messages of the answers, and what follows them. */
  join(answers: readonly Json[], next: Json | undefined): readonly Json[];
}

/** What the model reads of a call whose answer is not in the history. */
export const OUTCOME_UNKNOWN =
  "The outcome of this call is unknown: its result was lost, and it may have run.";

/** The elements of a list that have members. */
export function jsonsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

const DEEPEST = 3;

/** The object that arguments are, or are the text of, also where a client encoded them twice. */
export function objectOf(args: unknown): Json | undefined {
  let value = args;
  for (let depth = 0; depth < DEEPEST && typeof value === "string"; depth += 1) {
    value = parseJson(value);
  }
  return isRecord(value) ? value : undefined;
}

import type { PROVIDER_FORMS } from "./provider-messages.ts";

/** The name of an API in `@toolcontract/core/wire`. */
export type WireName = keyof typeof PROVIDER_FORMS;

/** Every API, in the order of the pages. */
export const WIRE_NAMES = [
  "anthropic",
  "openai",
  "responses",
  "realtime",
  "gemini",
  "mistral",
  "ollama",
  "cohere",
] as const satisfies readonly WireName[];

const ALL: readonly WireName[] = WIRE_NAMES;
const AS_TEXT: readonly WireName[] = ["openai", "responses", "realtime", "mistral", "cohere"];

/** What the APIs are tried with, by title, and the APIs that can send it. The documentation shows the table. */
export const WIRE_ROWS = {
  "a valid call runs beside an invalid one, and the next request is taken": ALL,
  "the same as a stream, with and without the response": ALL,
  "calls without ids get their own; only what came goes back": ALL,
  "one id three times: each is answered": ALL,
  "a call that was cut before its first character does not run": ALL,
  "a call without arguments runs if the output is whole": ALL,
  "half a call of a stream does not run, whatever the SDK made of it": ["anthropic", ...AS_TEXT],
  "arguments encoded twice, and two objects in one text, are read": AS_TEXT,
  "arguments that a gateway sends as an object, as null or not at all are read": AS_TEXT,
  "a message without calls has none, and nothing is written": ALL,
  "a missing reason is left out": ALL,
  "200 garbage messages and streams: nothing throws, and each call is answered": ALL,
  "text that was cut after a call leaves the call whole": ["anthropic", "gemini"],
  "calls of one program are one attempt, and their outputs carry the caller": [
    "anthropic",
    "responses",
  ],
  "a custom call is free text, and its answer is of its kind": ["openai", "responses"],
  "a custom call of a stream is free text": ["responses"],
  "a tool is known by its namespace and name": ["responses"],
  "an empty id goes back as it came": ["openai"],
  "the wire's own JSON is answered in its own words": ["mistral", "cohere"],
  "the word null for an id that did not come is not an id": ["mistral"],
  "index 0 for all calls of a stream does not mix their texts": ["openai"],
  "a call whose arguments come in parts does not run": ["gemini"],
  "a cancelled response says so": ["realtime"],
  "a picture is a part": ["anthropic", "gemini", "responses"],
  "a picture is left out, and a line says so": [
    "openai",
    "mistral",
    "ollama",
    "cohere",
    "realtime",
  ],
} as const satisfies Readonly<Record<string, readonly WireName[]>>;

/** The title of a row. */
export type WireRow = keyof typeof WIRE_ROWS;

import type { AgentConfig } from "../settings/index.ts";

const REDACTED = "[redacted]";
/** What is shorter may be a word, such as `none` for an endpoint without a key. */
const LEAST = 8;
/** Headers and variables that hold a secret, by their names. */
const SECRET_NAME = /(?:^|[_-])(?:authorization|cookie|key|password|secret|token)s?$/i;

/** The secrets that a program knows by value; those of a known form are masked by the contract anyway. */
export interface Secrets {
  /** Adds secrets, and what stands behind a scheme such as `Bearer`. */
  readonly add: (values: readonly string[]) => void;
  /** A copy of a string, or of plain data, without any of them in its names and values. */
  readonly hide: <T>(data: T) => T;
  /** Hides them in streamed text. */
  readonly stream: () => SecretStream;
}

/** Streamed text, in which a secret may be split across chunks. */
interface SecretStream {
  /** Takes a chunk; returns what can be shown: all but an end that may be the start of a secret. */
  readonly take: (piece: string) => string;
  /** What was held back, once the stream has ended. */
  readonly end: () => string;
}

/** Creates an empty collection. */
export function createSecrets(): Secrets {
  let known: readonly string[] = [];
  const hideIn = (text: string): string => {
    let hidden = text;
    for (const secret of known) hidden = hideCut(hidden.replaceAll(secret, REDACTED), secret);
    return hidden;
  };
  /** How many characters at the end of a text may be the beginning of a secret. */
  const held = (text: string): number =>
    Math.max(0, ...known.map((secret) => beginningAtEnd(text, secret)));
  return {
    add(values) {
      const parts = values.flatMap((value) => {
        const words = value.split(/\s+/).filter((word) => word !== "");
        // Errors are cut to one line, and leave out the scheme.
        return [value, words.join(" "), words.slice(1).join(" "), ...words].flatMap(spellings);
      });
      const all = new Set([...known, ...parts.filter(({ length }) => length >= LEAST)]);
      // One may be a part of another.
      known = [...all].toSorted((one, other) => other.length - one.length);
    },
    hide: <T>(data: T) => hideAll(JSON.parse(JSON.stringify(data)), hideIn) as T,
    stream() {
      let open = "";
      return {
        take(piece) {
          const text = open + piece;
          const cut = text.length - held(text);
          open = text.slice(cut);
          return hideIn(text.slice(0, cut));
        },
        end() {
          const rest = open;
          open = "";
          return hideIn(rest);
        },
      };
    },
  };
}

/** A secret as it is, in JSON, and in JSON in JSON. */
function spellings(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, JSON.stringify(inJson).slice(1, -1)];
}

/** The length of the longest end of a text with which a secret begins, but is not complete. */
function beginningAtEnd(text: string, secret: string): number {
  let length = Math.min(text.length, secret.length - 1);
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length -= 1;
  return length;
}

function hideAll(value: unknown, hideIn: (text: string) => string): unknown {
  if (typeof value === "string") return hideIn(value);
  if (Array.isArray(value)) return value.map((member) => hideAll(member, hideIn));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, one]) => [hideIn(name), hideAll(one, hideIn)]));
}

/** A message that was cut may end inside of a secret. */
function hideCut(text: string, secret: string): string {
  const [, start = text, end = ""] = /^(.*)(\.\.\.|…)$/s.exec(text) ?? [];
  for (let length = secret.length - 1; length >= LEAST; length -= 1) {
    if (!start.endsWith(secret.slice(0, length))) continue;
    return `${start.slice(0, -length)}${REDACTED}${end}`;
  }
  return text;
}

type SecretParts = Pick<AgentConfig, "providers" | "mcpServers" | "headersOf">;

/** The keys of a configuration, and what its headers and variables of children hold under the name of a secret. */
export function secretsOf({ providers, mcpServers, headersOf }: SecretParts): readonly string[] {
  return [
    ...Object.values(providers).flatMap(({ apiKey, headers }) => [
      ...(apiKey === undefined ? [] : [apiKey]),
      ...named(headers),
    ]),
    ...Object.entries(mcpServers).flatMap(([name, server]) =>
      named("url" in server ? headersOf(name) : server.env),
    ),
  ];
}

function named(values: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => (SECRET_NAME.test(name) ? value : []));
}

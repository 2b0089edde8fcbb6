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
  /** A copy of a string, or of plain data, without any of them. */
  readonly hide: <T>(data: T) => T;
}

/** Creates an empty collection. */
export function createSecrets(): Secrets {
  let known: readonly string[] = [];
  const hideIn = (text: string): string => {
    let hidden = text;
    for (const secret of known) hidden = hideCut(hidden.replaceAll(secret, REDACTED), secret);
    return hidden;
  };
  return {
    add(values) {
      const parts = values.flatMap((value) => {
        const words = value.split(/\s+/).filter((word) => word !== "");
        // Errors are cut to one line, and leave out the scheme.
        return [value, words.join(" "), words.slice(1).join(" "), ...words];
      });
      const all = new Set([...known, ...parts.filter(({ length }) => length >= LEAST)]);
      // One may be a part of another.
      known = [...all].toSorted((one, other) => other.length - one.length);
    },
    hide: <T>(data: T) =>
      JSON.parse(
        JSON.stringify(data, (_, value: unknown) =>
          typeof value === "string" ? hideIn(value) : value,
        ),
      ) as T,
  };
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

import type { SchemaProvider } from "@toolcontract/core/adapter";
import type { OptionName } from "@toolcontract/core/options";

/** The type of a flag's value. */
export type FlagKind =
  /** `words`: values besides on and off. */
  | { readonly type: "switch"; readonly words?: readonly string[] }
  | { readonly type: "choice"; readonly choices: readonly string[] }
  | { readonly type: "integer"; readonly from: number; readonly to: number }
  | { readonly type: "duration" }
  /** `bytes`: a number without a unit is one of bytes. */
  | { readonly type: "size"; readonly bytes?: true }
  | { readonly type: "string"; readonly pattern?: RegExp; readonly expected?: string };

/** A port to listen on. */
export const PORT: FlagKind = { type: "integer", from: 0, to: 65_535 };

/** The value of a switch, and of a flag that may be off, that turns it off. */
export const OFF = "off";

/** One flag of the command line; the help, the environment variables, the docs and the checks are generated from it. */
export interface Flag {
  readonly kind: FlagKind;
  /** The placeholder of the value in the help. */
  readonly value?: string;
  /** The default, as a user would write it. */
  readonly fallback?: string;
  /** Repeatable: the value is a list. */
  readonly isList?: true;
  /** `--no-<name>` sets it to "off". */
  readonly mayBeOff?: true;
  readonly section:
    | "Validation"
    | "Attempts"
    | "Message"
    | "Limits"
    | "HTTP"
    | "Logs and metrics"
    | "Configuration";
  readonly help: string;
  /** The option of the contract that it sets. */
  readonly option?: OptionName;
  /** The option's own words for values that the flag calls by another name. */
  readonly inCode?: Readonly<Record<string, string>>;
}

/** The environment variable of a flag. */
export function variableOf(name: string): string {
  return `TOOLCONTRACT_${name.replaceAll("-", "_").toUpperCase()}`;
}

/** The values of the proxy's own flags, as given or by default. Times are in milliseconds, sizes in bytes. */
export interface OwnSettings {
  readonly mode: "enforce" | "assist" | "audit";
  readonly soft: "assist" | "reject" | "forward";
  readonly tool: readonly string[];
  readonly results: "off" | "report" | "enforce";
  readonly provider: SchemaProvider | undefined;
  readonly guardrails: string | undefined;
  readonly "fail-open": boolean;
  readonly "attempt-window": number;
  readonly coalesce: number;
  readonly "attempt-key": "auto" | `header:${string}` | `meta:${string}`;
  readonly vary: readonly string[];
  readonly store: string | undefined;
  readonly "store-timeout": number;
  readonly "on-exhausted": "answer" | "forward";
  readonly "list-timeout": number;
  readonly "max-body": number;
  readonly "tool-timeout": number | undefined;
  readonly "tool-response-max-bytes": number | undefined;
  readonly queue: readonly string[];
  readonly "queue-of": readonly string[];
  readonly grace: number;
  readonly upstream: string | undefined;
  readonly port: number;
  readonly host: string;
  readonly endpoint: string;
  readonly header: readonly string[];
  readonly "allow-host": readonly string[];
  readonly "allow-origin": readonly string[];
  readonly "log-level": "info" | "warn" | "silent";
  readonly "log-file": string | undefined;
  readonly otlp: string | undefined;
  readonly "metrics-file": string | undefined;
  readonly "metrics-port": number | undefined;
  readonly "metrics-host": string;
  readonly check: boolean;
  readonly config: string | undefined;
}

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const BYTES = { b: 1, kb: 1_024, mb: 1_024 ** 2 } as const;
const SWITCH = new Map([
  ["on", true],
  ["true", true],
  ["off", false],
  ["false", false],
]);
/** The longest time that a timer accepts. */
const LONGEST = 2 ** 31 - 1;

/** A flag's value: times in milliseconds, sizes in bytes. */
export type FlagValue = string | number | boolean;

/** Parses a flag's value; undefined if it is not of the flag's type. */
export function parseFlag(kind: FlagKind, text: string): FlagValue | undefined {
  switch (kind.type) {
    case "switch":
      return kind.words?.includes(text) === true ? text : SWITCH.get(text);
    case "choice":
      return kind.choices.includes(text) ? text : undefined;
    case "integer":
      return integer(text, kind.from, kind.to);
    case "duration":
      return amount(text, MILLISECONDS);
    case "size":
      return amount(kind.bytes && /^\d+$/.test(text) ? `${text}b` : text, BYTES);
    case "string":
      return text !== "" && (kind.pattern?.test(text) ?? true) ? text : undefined;
  }
}

/** Describes the values of a flag, for error messages. */
export function expectedValue(kind: FlagKind, value: string | undefined): string {
  switch (kind.type) {
    case "switch":
      return kind.words === undefined ? "on or off" : `on, off or ${kind.words.join(" or ")}`;
    case "choice":
      return `${kind.choices.slice(0, -1).join(", ")} or ${kind.choices.at(-1)}`;
    case "integer":
      return `a whole number from ${kind.from} to ${kind.to}`;
    case "duration":
      return "a time such as 500ms, 5s or 10m";
    case "size":
      return kind.bytes ? "a size such as 32768 or 32kb" : "a size such as 512kb or 4mb";
    case "string":
      return kind.expected ?? value ?? "a string that is not empty";
  }
}

/** The two sides of a value such as `browser=2`. */
export function pairOf(text: string): readonly [string, string] {
  // A tool's name may contain an equals sign.
  const at = text.lastIndexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

function integer(text: string, from: number, to: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= from && number <= to ? number : undefined;
}

function amount<Unit extends string>(
  text: string,
  units: Readonly<Record<Unit, number>>,
): number | undefined {
  // Without a unit, 5 is ambiguous.
  if (text === "0") return 0;
  const [, digits, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([a-z]+)$/.exec(text.toLowerCase()) ?? [];
  if (digits === undefined || !Object.hasOwn(units, unit)) return undefined;
  const total = Math.round(Number(digits) * units[unit as Unit]);
  return total <= LONGEST ? total : undefined;
}

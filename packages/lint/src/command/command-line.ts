import { parseArgs } from "node:util";
import { type Provider, nearest } from "@toolcontract/explain/adapter";
import { RULES } from "../rules/index.ts";
import type { LintSeverity } from "../shared/index.ts";

/** How a report is written. */
const FORMATS = ["terminal", "json", "sarif", "markdown", "github"] as const;

/** How the calls of a log are written. */
const LOG_FORMATS = ["terminal", "json", "markdown"] as const;

/** How a report is written. */
type OutputFormat = (typeof FORMATS)[number];

/** What was asked for. */
export interface LintArguments {
  readonly files: readonly string[];
  /** The command of a server, and its arguments. */
  readonly command: readonly string[];
  /** The address of a server. */
  readonly urls: readonly string[];
  /** Headers for that server. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly format: OutputFormat;
  /** More warnings than this are a failure; undefined for any number. */
  readonly maxWarnings: number | undefined;
  /** Whether files are corrected where that does no harm. */
  readonly isFixed: boolean;
  /** A log of a contract, whose refused calls are counted in place of a report. */
  readonly log: string | undefined;
  /** The file of a badge. */
  readonly badge: string | undefined;
  /** Whether the calls that models make wrong are shown. */
  readonly withProof: boolean;
  /** Whether these calls are sent to servers. */
  readonly isAsking: boolean;
  readonly rules: Readonly<Record<string, "off" | LintSeverity>>;
  /** The providers that were asked for; undefined for all. */
  readonly for: readonly Provider[] | undefined;
}

/** A parsed command line. */
export type LintLine =
  | { readonly asks: "help" }
  | { readonly asks: "why"; readonly rule: string }
  | ({ readonly asks: "lint" } & LintArguments);

/** Wrong usage: its message says what to do instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

const OPTIONS = {
  format: { type: "string" },
  "max-warnings": { type: "string" },
  rule: { type: "string", multiple: true },
  for: { type: "string", multiple: true },
  proof: { type: "boolean" },
  ask: { type: "boolean" },
  calls: { type: "string" },
  why: { type: "string" },
  url: { type: "string", multiple: true },
  header: { type: "string", multiple: true },
  fix: { type: "boolean" },
  badge: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Parses a command line; throws a UsageError for what it does not know. */
export function readCommandLine(args: readonly string[]): LintLine {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const command = end === -1 ? [] : args.slice(end + 1);
  const { values, positionals } = parsedLine(own);
  if (values.help === true) return { asks: "help" };
  if (values.why !== undefined) return { asks: "why", rule: ruleNamed(values.why) };
  const { format = "terminal", url: urls = [] } = values;
  if (positionals.length + command.length + urls.length === 0)
    throw new UsageError(
      "name what to lint: a JSON file, --url <address>, or -- <command> of an MCP server.",
    );
  const formats = values.calls === undefined ? FORMATS : LOG_FORMATS;
  const known = formats.find((one) => one === format);
  if (known === undefined) throw unknown("format", format, formats);
  return {
    asks: "lint",
    files: positionals,
    command,
    urls,
    headers: (values.header ?? []).map(headerIn),
    isFixed: values.fix === true,
    log: values.calls,
    badge: values.badge,
    format: known,
    maxWarnings: countGiven("--max-warnings", values["max-warnings"]),
    withProof: values.proof === true,
    isAsking: values.ask === true,
    for: values.for?.flatMap(providersIn),
    rules: Object.fromEntries((values.rule ?? []).map(ruleSetting)),
  };
}

function parsedLine(args: readonly string[]): ReturnType<typeof parseOptions> {
  try {
    return parseOptions(args);
  } catch (thrown) {
    const [, name = ""] = /'(?:-\w, )?(-[^' ]+)/.exec((thrown as Error).message) ?? [];
    const known = Object.entries(OPTIONS).map(([one, { type }]) => ({ name: `--${one}`, type }));
    if ((thrown as { readonly code?: string }).code === "ERR_PARSE_ARGS_UNKNOWN_OPTION")
      throw unknown(
        "option",
        name,
        known.map((one) => one.name),
      );
    const isFlag = known.some((one) => one.name === name && one.type === "boolean");
    throw new UsageError(`${name} ${isFlag ? "takes no value" : "needs a value"}.`);
  }
}

function parseOptions(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
}

function ruleSetting(text: string): readonly [name: string, severity: "off" | LintSeverity] {
  const [name = "", severity = ""] = text.split("=");
  const known = SEVERITIES.find((one) => one === severity);
  if (known === undefined) throw new UsageError(`--rule takes <name>=off, error, warning or info.`);
  return [ruleNamed(name), known];
}

const PROVIDERS: readonly Provider[] = ["openai", "anthropic", "gemini", "bedrock", "mcp"];

/** Reads `openai,gemini`. */
function providersIn(text: string): readonly Provider[] {
  return text.split(",").map((given) => {
    const name = given.trim();
    const known = PROVIDERS.find((one) => one === name);
    if (known === undefined) throw unknown("provider", name, PROVIDERS);
    return known;
  });
}

const SEVERITIES = ["off", "error", "warning", "info"] as const;

function ruleNamed(name: string): string {
  const names = RULES.map((rule) => rule.name);
  if (names.includes(name)) return name;
  throw unknown("rule", name, names);
}

function headerIn(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(":");
  // Not the header itself: it may be a credential.
  if (at < 1) throw new UsageError("--header must be <name>: <value>.");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function countGiven(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option} must be a whole number.`);
  return Number(text);
}

function unknown(kind: string, name: string, known: readonly string[]): UsageError {
  const near = nearest(name, known);
  const advice = near === undefined ? `There is ${known.join(", ")}.` : `Did you mean '${near}'?`;
  return new UsageError(`there is no ${kind} '${name.slice(0, 64)}'. ${advice}`);
}

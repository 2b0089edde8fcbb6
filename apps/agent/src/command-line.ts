import { parseArgs } from "node:util";
import { nearestName } from "@toolcontract/core/adapter";
import { RunError } from "@toolcontract/session";

/** What a run is asked for. */
export interface RunArguments {
  /** The words of the prompt; the first may name a file, or be `-`. */
  readonly words: readonly string[];
  /** The configuration file of the highest layer but the prompt's. */
  readonly config?: string;
  readonly output: OutputFormat;
  /** How much is said on stderr besides errors. */
  readonly level: "quiet" | "normal" | "verbose";
  /** Whether the model's words are shown while they come, also in a pipe. */
  readonly isStreamed: boolean;
  /** The only model that is asked, as `provider/name`. */
  readonly model?: string;
  /** A file that gets the events of the run, without values. */
  readonly trace?: string;
  /** A file to which every accounting entry is appended. */
  readonly accounting?: string;
  /** Checks configuration and servers, and asks no model. */
  readonly isDryRun: boolean;
  /** The only provider whose targets are asked. */
  readonly provider?: string;
  /** The answers of the scripted model. */
  readonly script?: string;
}

/** What goes to stdout: the report, the whole result, or a line for each event and then the result. */
export type OutputFormat = "text" | "json" | "jsonl";

/** A parsed command line. */
export type CommandLine = { readonly asks: "help" | "version" } | RunArguments;

/** Every option, with what its value is called in the help. */
const OPTIONS = {
  config: { type: "string" },
  output: { type: "string" },
  accounting: { type: "string" },
  trace: { type: "string" },
  model: { type: "string" },
  quiet: { type: "boolean", short: "q" },
  verbose: { type: "boolean" },
  stream: { type: "boolean" },
  "dry-run": { type: "boolean" },
  provider: { type: "string" },
  script: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type OptionName = keyof typeof OPTIONS;

/** Wrong usage of the command line: its message says what to do instead. */
export class UsageError extends RunError {
  override readonly name: string = "UsageError";
  constructor(message: string) {
    super("configuration", `${message} See toolcontract-agent --help.`);
  }
}

/** Parses a command line; throws a UsageError for an unknown option or a missing value. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  const words: string[] = [];
  const given: Partial<Record<OptionName, string>> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option") given[knownName(token)] = valueOf(token);
  }
  if (given.help !== undefined) return { asks: "help" };
  if (given.version !== undefined) return { asks: "version" };
  const { config, accounting, script, model, trace } = given;
  if (given.quiet !== undefined && given.verbose !== undefined) {
    throw new UsageError("--quiet and --verbose are opposites: leave one of them out.");
  }
  const provider = given.provider ?? (script === undefined ? undefined : "scripted");
  if (script !== undefined && provider !== "scripted") {
    throw new UsageError("--script is for the scripted provider: leave out --provider.");
  }
  return {
    words,
    output: outputOf(given.output ?? "text"),
    isDryRun: given["dry-run"] !== undefined,
    level: given.quiet !== undefined ? "quiet" : given.verbose !== undefined ? "verbose" : "normal",
    isStreamed: given.stream !== undefined,
    ...(model !== undefined && { model }),
    ...(trace !== undefined && { trace }),
    ...(config !== undefined && { config }),
    ...(accounting !== undefined && { accounting }),
    ...(provider !== undefined && { provider }),
    ...(script !== undefined && { script }),
  };
}

/** The format that a command line asks for, also one that is wrong elsewhere. */
export function formatOf(args: readonly string[]): OutputFormat {
  const { values } = parseArgs({ args: [...args], options: OPTIONS, strict: false });
  return FORMATS.find((format) => format === values.output) ?? "text";
}

const FORMATS = ["text", "json", "jsonl"] as const;

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function knownName({ name, rawName }: OptionToken): OptionName {
  const names = Object.keys(OPTIONS);
  if (Object.hasOwn(OPTIONS, name)) return name as OptionName;
  const near = nearestName(name, names);
  const advice = near === undefined ? "" : ` Did you mean --${near}?`;
  throw new UsageError(
    `There is no option ${rawName.slice(0, 64)}.${advice} Words that begin with a dash go after --.`,
  );
}

function valueOf({ name, rawName, value, inlineValue }: OptionToken): string {
  if (OPTIONS[name as OptionName].type === "boolean") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return "";
  }
  // After a space, what begins with a dash is the next option.
  const isMissing = value === undefined || value === "";
  if (isMissing || (inlineValue !== true && value.startsWith("-"))) {
    throw new UsageError(`${rawName} needs a value.`);
  }
  return value;
}

function outputOf(value: string): OutputFormat {
  const found = FORMATS.find((format) => format === value);
  if (found) return found;
  throw new UsageError(`--output is text, json or jsonl, not '${value.slice(0, 64)}'.`);
}

/** What `--help` prints. */
export const HELP = `toolcontract-agent [options] [prompt | prompt.md | -]

Runs an agent: the prompt, the tools of MCP servers, models in turn, and a report at the end, on stdout.

The prompt is the words of the command line. If the first one is a file that ends in .md, its text is the prompt, and
its front matter configures the run. What is piped in follows the words; with -, or without any, it is the prompt.

Options:
  --config FILE      a configuration file above the ones below
  --model NAME       asks this model alone, as provider/name, such as openai/gpt-5; no file is needed for it
  --output FORMAT    text (default): the report; json: the whole result; jsonl: a line for each event, then the result
  --quiet            nothing on stderr but errors
  --verbose          a line for each request, call and retry, also in a pipe
  --stream           the model's words on stderr while they come, also in a pipe
  --trace FILE       writes the events of the run as lines of JSON, without values
  --accounting FILE  appends a line of JSON for each request and each call of a tool
  --dry-run          checks the configuration and starts the servers, but asks no model
  --provider NAME    asks only the targets of this provider; scripted plays a recorded run, without key and network
  --script FILE      the answers of the scripted provider: a JSON array of { text, calls, usage, error }
  --version          prints the version
  --help             prints this help

The files, highest precedence first: the front matter of prompt.md; --config; .agent/config.yml or .ai-agent.json in
this folder, in the prompt's and in the program's; ~/.agent/config.yml or ~/.ai-agent/ai-agent.json;
/etc/agent/config.yml or /etc/ai-agent/ai-agent.json.

Exit codes: 0 success; 1 the run failed, or was stopped; 3 an MCP server did not start; 4 wrong usage or invalid
configuration; 5 a tool's schema cannot be used; 130 stopped at once, by a second Ctrl-C.`;

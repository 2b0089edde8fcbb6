import { parseArgs } from "node:util";
import { type Api, APIS, type Level, LEVELS } from "../shared/index.ts";

/** A parsed command line. */
export type CommandLine = { readonly command: "help" | "version" | "list" } | RunCommand;

/** What a run was asked for. */
export interface RunCommand {
  readonly command: "run";
  readonly program: string;
  readonly api: Api;
  readonly stream: boolean;
  readonly json: boolean;
  /** Ids of scenarios; empty for all. */
  readonly scenarios: readonly string[];
  readonly level?: Level;
  readonly junit?: string;
  readonly badge?: string;
  readonly expectedFailures?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly jobs?: number;
}

/** Wrong usage of the command line: its message says what to do instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

const OPTIONS = {
  command: { type: "string" },
  api: { type: "string", default: "openai-chat" },
  stream: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  scenario: { type: "string", multiple: true },
  level: { type: "string" },
  junit: { type: "string" },
  badge: { type: "string" },
  "expected-failures": { type: "string" },
  timeout: { type: "string" },
  jobs: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", short: "v", default: false },
} as const;

/** Parses a command line; throws a UsageError for anything that it does not know. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parsedArguments(args);
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  const [word, surplus] = positionals;
  if (surplus !== undefined) throw new UsageError(`'${surplus}' is one word too many.`);
  if (word === "list") return { command: "list" };
  if (word !== undefined) {
    throw new UsageError(
      `there is no command '${word}'. The only one is list; a run needs --command.`,
    );
  }
  const { command, junit, badge, "expected-failures": expectedFailures } = values;
  if (command === undefined || command.trim() === "") {
    throw new UsageError('pass the program to run: --command "node my-agent.mjs".');
  }
  return {
    command: "run",
    program: command,
    api: oneOfKnown(values.api, APIS, "--api"),
    stream: values.stream,
    json: values.json,
    scenarios: values.scenario ?? [],
    ...(values.level !== undefined && { level: oneOfKnown(values.level, LEVELS, "--level") }),
    ...(junit !== undefined && { junit }),
    ...(badge !== undefined && { badge }),
    ...(expectedFailures !== undefined && { expectedFailures }),
    ...(values.timeout !== undefined && { timeout: positiveNumber(values.timeout, "--timeout") }),
    ...(values.jobs !== undefined && { jobs: positiveNumber(values.jobs, "--jobs") }),
  };
}

function parsedArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [first = "it could not be read."] = (error as Error).message.split(/(?<=\.)\s/);
    throw new UsageError(first);
  }
}

function oneOfKnown<T extends string>(value: string, known: readonly T[], option: string): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new UsageError(`${option} takes ${known.join(", ")}, not '${value}'.`);
}

function positiveNumber(value: string, option: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`${option} takes a number above 0, not '${value}'.`);
}

/** What `--help` prints. */
export const HELP: string = `toolcontract-conformance --command "node my-agent.mjs" [options]
toolcontract-conformance list

Plays a model that makes bad tool calls, and judges what the program does about them.

Options:
  --command COMMAND          starts the program; once for each scenario, in a shell
  --api API                  ${APIS.join(", ")} (default: openai-chat)
  --stream                   tells the program to ask for streams (KIT_STREAM=1)
  --scenario NAME            plays only this one; may be given several times
  --level LEVEL              checks up to L1, L2, L3, L4 (Toolcontract's own format) or
                             L5 (the final answer; the program heeds KIT_ANSWER)
  --expected-failures FILE   a YAML list of checks that may fail; one that passes is an error
  --json                     prints { "checks": [{ id, level, scenario, passed, message }] }
  --junit FILE               writes JUnit's XML
  --badge FILE               writes a badge, as SVG
  --timeout SECONDS          for one scenario (default: 60)
  --jobs NUMBER              scenarios at once (default: the number of processors)
  --version, --help

The program finds in its environment:
  KIT_BASE_URL     the model; ends in /v1
  KIT_TOOLS        a JSON file: [{ name, description, parameters }]
  KIT_RAN_URL      a tool that runs sends POST { name, arguments } here; the answer is its result
  KIT_APPROVE_URL  a person who allows a call: POST { name, arguments }, for tools with needsApproval
  KIT_ANSWER       with --level L5, a JSON file: the schema of the final answer, or empty
  KIT_ANSWERED_URL the final answer goes here: POST it as JSON
  KIT_PROMPT       what the user says
  KIT_SCENARIO, KIT_API, KIT_STREAM ("1" or empty)

Exit codes: 0 all checks passed, or failed as expected; 1 some did not; 2 wrong usage.`;

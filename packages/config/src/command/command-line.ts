import { parseArgs } from "node:util";
import { nearestName } from "@toolcontract/core/adapter";
import type { LoadOptions } from "../load/index.ts";

const COMMANDS = ["check", "show", "init"] as const;
const FLAGS = ["help", "version", "json"] as const;
const SHORT: Readonly<Record<string, string>> = { h: "help", v: "version" };

/** What a command may read, and where it writes. */
export interface CommandContext extends LoadOptions {
  readonly cwd: string;
  readonly home: string | false;
  /** Writes a line to stdout. */
  readonly print: (line: string) => void;
  /** Writes a line to stderr. */
  readonly warn: (line: string) => void;
}

/** The arguments of a command. */
export interface CommandArguments {
  /** A configuration file. */
  readonly path?: string;
  readonly json: boolean;
}

/** A parsed command line. */
export type CommandLine =
  | { readonly command: "help" | "version" }
  | ({ readonly command: (typeof COMMANDS)[number] } & CommandArguments);

/** Parses a command line; throws a UsageError for an unknown command, option or extra word. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({ args: [...args], strict: false, tokens: true });
  const flags = new Set<string>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option") flags.add(flagName(token.rawName, token.name, token.value));
  }
  if (flags.has("help")) return { command: "help" };
  if (flags.has("version")) return { command: "version" };
  return configLine(words, flags.has("json"));
}

function configLine(
  [group, command, path, ...rest]: readonly string[],
  json: boolean,
): CommandLine {
  if (group === undefined) return { command: "help" };
  if (group !== "config") throw unknownWord(group, ["config", "lint"], "command");
  if (command === undefined) return { command: "help" };
  const known = COMMANDS.find((one) => one === command);
  if (known === undefined) throw unknownWord(command, COMMANDS, "command of config");
  const [surplus] = known === "init" && path !== undefined ? [path] : rest;
  if (surplus !== undefined) throw new UsageError(`'${surplus}' is one word too many.`);
  if (known === "init" && json) throw new UsageError("init has no result to print as JSON.");
  return { command: known, json, ...(path !== undefined && { path }) };
}

function flagName(rawName: string, name: string, value: string | undefined): string {
  const flag = SHORT[name] ?? name;
  if (!FLAGS.some((known) => known === flag)) throw unknownWord(rawName, FLAGS, "option");
  if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  return flag;
}

function unknownWord(word: string, known: readonly string[], kind: string): UsageError {
  const dashes = kind === "option" ? "--" : "";
  const near = nearestName(word.replace(/^-+/, ""), known);
  const advice =
    near === undefined
      ? `There is ${known.map((name) => dashes + name).join(", ")}.`
      : `Did you mean '${dashes}${near}'?`;
  return new UsageError(`there is no ${kind} '${word.slice(0, 64)}'. ${advice}`);
}

/** Wrong usage of the command line: its message says what to do instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** What `--help` prints. */
export const HELP = `toolcontract config <command>
toolcontract lint <file>…     finds the mistakes of tools; toolcontract lint --help

Commands of config:
  check [path]  reports everything that is wrong with the configuration
  show [path]   prints every setting and where it is set
  init          writes .agent/config.yml with all settings and their defaults

Options:
  --json        prints the result of check and show as JSON
  --version     prints the version
  --help        prints this help

The files, highest precedence first: [path]; .agent/config.yml in this folder and the ones above it,
up to the one with .git; ~/.agent/config.yml; /etc/agent/config.yml.

Exit codes: 0 success, 1 failure, 4 wrong usage or invalid configuration.`;

import { parseArgs } from "node:util";
import { nearestName } from "@toolcontract/core/adapter";
import type { LoadOptions } from "../load/index.ts";

const COMMANDS = ["check", "show", "init"] as const;
const FLAGS = ["help", "version", "json"] as const;
const SHORT: Readonly<Record<string, string>> = { h: "help", v: "version" };

/** What a command line asks for. */
export type CommandLine =
  | { readonly command: "help" | "version" }
  | ({ readonly command: (typeof COMMANDS)[number] } & CommandArguments);

/** Reads a command line; throws a UsageError where it asks for nothing that there is. */
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
  return withArguments(words, flags.has("json"));
}

function withArguments(
  [group, command, path, ...rest]: readonly string[],
  json: boolean,
): CommandLine {
  if (group === undefined) return { command: "help" };
  if (group !== "config") throw unknownWord(group, ["config"], "command");
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

/** What a command may know and where it writes. */
export interface CommandContext extends LoadOptions {
  readonly cwd: string;
  readonly home: string | false;
  /** Writes a line for whoever reads the result. */
  readonly print: (line: string) => void;
  /** Writes a line for whoever watches. */
  readonly warn: (line: string) => void;
}

/** What follows the name of a command. */
export interface CommandArguments {
  /** The file or nothing. */
  readonly path?: string;
  readonly json: boolean;
}

/** A misuse of the command line: one line that says what to do instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** What `--help` prints. */
export const HELP = `toolcontract config <command>

Commands:
  check [path]  tells of everything that is wrong with the configuration
  show [path]   prints every setting with the place where it is set
  init          writes .agent/config.yml with all settings and their defaults

Options:
  --json        prints the result of check and show as JSON
  --version     prints the version
  --help        prints this text

The files, the one that wins first: [path]; .agent/config.yml in this folder and in those above it,
up to the one with .git; ~/.agent/config.yml; /etc/agent/config.yml.

Exit codes: 0 all is well, 1 a failure, 4 wrong usage or a wrong configuration.`;

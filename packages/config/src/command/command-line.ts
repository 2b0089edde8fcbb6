import { parseArgs } from "node:util";
import { nearestName } from "@toolcontract/core/adapter";
import type { CommandArguments } from "./command-context.ts";
import { UsageError } from "./usage-error.ts";

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

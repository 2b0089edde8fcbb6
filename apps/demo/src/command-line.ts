import { parseArgs } from "node:util";
import type { Scenario } from "./scenario.ts";

/** What the command line asks for. */
export type Command =
  | { readonly kind: "play"; readonly scenarios: readonly Scenario[]; readonly json: boolean }
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "refuse"; readonly text: string };

const HELP = `Plays scripted tool calls against a real MCP filesystem server, with and without the contract;
those named ai-sdk-… run in the Vercel AI SDK.

  pnpm demo                   play all scenarios
  pnpm demo --scenario NAME   play one
  pnpm demo --list            list them
  pnpm demo --json            play all and print the verdicts as JSON
  pnpm demo --help            this text

It needs no network and no key, and writes only to a temporary folder.
The exit code is 0 if all assertions hold, 1 if one does not, 2 for an invalid command line.`;

/** Reads the command line. */
export function readCommand(args: readonly string[], all: readonly Scenario[]): Command {
  // `pnpm demo -- --json` passes the separator on.
  const given = args[0] === "--" ? args.slice(1) : args;
  try {
    return decide(given, all);
  } catch (error) {
    return { kind: "refuse", text: `${(error as Error).message}\n\n${HELP}` };
  }
}

function decide(args: readonly string[], all: readonly Scenario[]): Command {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: { type: "string" },
      list: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { scenario: name, list, json, help } = values;
  if (help) return { kind: "print", text: HELP };
  if (list) return { kind: "print", text: listScenarios(all) };
  if (name === undefined) return { kind: "play", scenarios: all, json };
  const scenarios = all.filter((scenario) => scenario.name === name);
  if (scenarios.length > 0) return { kind: "play", scenarios, json };
  return {
    kind: "refuse",
    text: `There is no scenario '${name}'. The scenarios are:\n\n${listScenarios(all)}`,
  };
}

function listScenarios(all: readonly Scenario[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, title }) => `${name.padEnd(width)}  ${title}`).join("\n");
}

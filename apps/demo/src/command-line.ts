import { parseArgs } from "node:util";
import type { Scenario } from "./scenario.ts";

/** How scenes are printed: a few whole and a line for each of the others, all whole, or the verdicts as JSON. */
export type Output = "featured" | "whole" | "json";

/** What the command line asks for. */
export type Command =
  | { readonly kind: "play"; readonly scenarios: readonly Scenario[]; readonly output: Output }
  | { readonly kind: "record" }
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "refuse"; readonly text: string };

const HELP = `Plays scripted tool calls against a real MCP filesystem server, with and without the contract;
those named ai-sdk-… run in the Vercel AI SDK, langchain-… in LangChain, openai-agents-… in OpenAI Agents,
mastra-… in Mastra.

  pnpm demo                   play all scenarios; print a few whole, of the others the verdict
  pnpm demo --scenario NAME   play one and print it whole
  pnpm demo --all             play all and print them whole
  pnpm demo --list            list them
  pnpm demo --json            play all and print the verdicts as JSON
  pnpm demo --record          play those that the playground shows, and write what happened for it
  pnpm demo --help            this text

It needs no network and no key. Only --record writes elsewhere than to a temporary folder.
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
      all: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { scenario: name, list, json, record, help } = values;
  const isWhole = values.all || name !== undefined;
  const output = json ? "json" : isWhole ? "whole" : "featured";
  if (help) return { kind: "print", text: HELP };
  if (list) return { kind: "print", text: listScenarios(all) };
  if (record) return { kind: "record" };
  if (name === undefined) return { kind: "play", scenarios: all, output };
  const scenarios = all.filter((scenario) => scenario.name === name);
  if (scenarios.length > 0) return { kind: "play", scenarios, output };
  return {
    kind: "refuse",
    text: `There is no scenario '${name}'. The scenarios are:\n\n${listScenarios(all)}`,
  };
}

function listScenarios(all: readonly Scenario[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, title }) => `${name.padEnd(width)}  ${title}`).join("\n");
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { badCallOfReadme, fencesOf, readPage } from "../../../../docs/fences.ts";
import { askPeers } from "../playground/peers/ask-peers.ts";
import { slugOf } from "../../../../docs/markdown.ts";
import { addressOf, ROOT } from "../docs/repository.ts";

/** What the first page shows. */
export interface HomeData {
  /** The call of the README, in parts too. */
  readonly call: readonly HomePart[];
  /** What a model reads about it today, from the code of each framework. */
  readonly today: readonly { readonly name: string; readonly text: string }[];
  /** What it gets with the contract, in parts: those of a fault have its place in the order of the call. */
  readonly contract: readonly HomePart[];
  /** How each framework takes it: what to install, and the program. */
  readonly hosts: readonly HomeHost[];
  readonly rows: readonly HomeRow[];
  /** How many invalid calls, and how many secrets were in them. */
  readonly calls: number;
  readonly secrets: number;
}

/** A part of a string, with the number of the fault that it is about. */
export interface HomePart {
  readonly text: string;
  readonly fault?: number;
}

/** A framework, and the lines that its page shows. */
interface HomeHost {
  readonly name: string;
  readonly page: string;
  readonly install: string;
  readonly program: string;
}

/** A framework in the matrix; shares are from 0 to 1. */
interface HomeRow {
  readonly name: string;
  readonly isOurs: boolean;
  readonly ranInvalid: number;
  readonly explained: number;
  readonly repaired: number;
  readonly secrets: number;
  readonly tokens: number;
}

interface Result {
  readonly system: string;
  readonly schema: string;
  readonly figures: {
    readonly calls: number;
    readonly ranInvalid: number;
    readonly explained: number;
    readonly tokens: { readonly median: number };
    readonly repaired: readonly number[];
    readonly secretsPlanted: number;
    readonly secretsLeaked: number;
  };
}

const OURS = "Toolcontract standard, core";
const SHOWN = [OURS, "AI SDK 7", "LangChain createAgent", "MCP SDK v2 McpServer", "Mastra"];
const SCHEMAS: Readonly<Record<string, string>> = { zod: "zod", "json-schema": "JSON Schema" };

/** Where the lines for each framework stand: a page, and a heading on it if it has several. */
const HOSTS = [
  ["Vercel AI SDK", "docs/getting-started.md", "Vercel AI SDK"],
  ["LangChain", "docs/getting-started.md", "LangChain"],
  ["OpenAI Agents", "packages/openai-agents/README.md"],
  ["your MCP server", "docs/getting-started.md", "Your own MCP server"],
  ["your own loop", "docs/your-own-loop.md"],
] as const;

/** The tool that the call of the README is for. */
const WRITE_FILE = z.strictObject({
  path: z.string(),
  content: z.string().max(1_048_576),
  encoding: z.enum(["utf-8", "ascii", "utf-16"]).optional(),
  mode: z.int().min(0).max(511).optional(),
});

/** Asks the frameworks, and reads what the benchmarks found. */
export async function homeData(): Promise<HomeData> {
  const { call: text, contract } = badCallOfReadme();
  const answers = await askPeers({ tool: { name: "write_file", schema: WRITE_FILE }, text });
  const file = readFileSync(join(ROOT, "docs/benchmarks/recovery.json"), "utf8");
  const { results } = JSON.parse(file) as { readonly results: readonly Result[] };
  const shown = SHOWN.flatMap((system) => results.filter((one) => one.system === system));
  return {
    call: callParts(text, contract),
    today: answers.map(({ peer, text: said }) => ({ name: peer, text: withoutPaths(said) })),
    contract: messageParts(contract, text),
    hosts: HOSTS.map(([name, page, heading]) => hostOf(name, page, heading)),
    rows: shown.map(rowOf),
    calls: shown[1]?.figures.calls ?? 0,
    secrets: shown[0]?.figures.secretsPlanted ?? 0,
  };
}

/** Cuts a call into its faulty fields, which the message names, and what is between them. */
function callParts(call: string, message: string): readonly HomePart[] {
  const parts = call.split(/("\w+": "[^"]*")/);
  const faulty = parts
    .filter((_, index) => index % 2 === 1)
    .filter((field) => isIn(message, field));
  return parts.map((text) =>
    faulty.includes(text) ? { text, fault: faulty.indexOf(text) } : { text },
  );
}

/** Cuts a message into its faults, each with its number in the order of the call, and the rest. */
function messageParts(message: string, call: string): readonly HomePart[] {
  const faulty = [...call.matchAll(/"\w+": "[^"]*"/g)].filter(([field]) => isIn(message, field));
  return message.split(/(?=^• )|(?=\n\nCorrect)/m).map((text) => {
    const fault = faulty.findIndex(([field]) => isIn(text, field));
    return text.startsWith("• ") && fault !== -1 ? { text, fault } : { text };
  });
}

/** Whether a message has a fault of a field, such as `"mode": "rw"`. */
function isIn(message: string, field: string): boolean {
  const [, name = ""] = /^"(\w+)"/.exec(field) ?? [];
  return message.includes(`• /${name} `);
}

/** The install lines and the first program of a page, or of one of its sections. */
function hostOf(name: string, page: string, heading?: string): HomeHost {
  const text = readPage(page);
  const begin = heading === undefined ? 0 : text.indexOf(`\n## ${heading}\n`);
  const fences = fencesOf(text.slice(begin));
  const first = (language: string): string =>
    fences.find((fence) => fence.language === language)?.text ?? "";
  const install = first("sh").replaceAll(/ +#.*$/gm, "");
  const anchor = heading === undefined ? "" : `#${slugOf(heading)}`;
  return { name, page: addressOf(page) + anchor, install, program: first("ts") };
}

/** A stack names the folders of the machine that built the page. */
function withoutPaths(text: string): string {
  return text.replaceAll(/file:\/\/\S*\/node_modules\//g, "file:///app/node_modules/");
}

function rowOf({ system, schema, figures }: Result): HomeRow {
  const isOurs = system === OURS;
  return {
    name: `${isOurs ? "Toolcontract" : system}, ${SCHEMAS[schema] ?? schema}`,
    isOurs,
    ranInvalid: figures.ranInvalid,
    explained: figures.explained,
    repaired: figures.repaired[0] ?? 0,
    secrets: figures.secretsLeaked,
    tokens: figures.tokens.median,
  };
}

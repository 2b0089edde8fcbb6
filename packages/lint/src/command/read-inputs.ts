import { readFileSync } from "node:fs";
import { basename, extname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord, oneLine } from "@toolcontract/explain/adapter";
import {
  connect,
  listTools,
  overHttp,
  overStdio,
  ServerError,
  type Transport,
} from "@toolcontract/mcp-client";
import { type AskedTool, askTools } from "../ask/index.ts";
import { type ReadTool, readTools, toolsOfModule } from "../input/index.ts";
import {
  type ConfiguredServer,
  configuredServers,
  inheritedFrom,
  withoutComments,
} from "../servers/index.ts";
import { MAX_LEVELS, isTooDeep } from "../shared/index.ts";
import type { LintArguments } from "./command-line.ts";

/** An input that was read. */
export interface Input {
  /** What people call it. */
  readonly title: string;
  /** The file, relative to the working directory; undefined for a server. */
  readonly file: string | undefined;
  /** The name to use for a schema without one. */
  readonly name: string;
  /** The text of a JSON file. */
  readonly text: string | undefined;
  readonly tools: readonly ReadTool[];
  /** What a server answered for each tool, if it was asked. */
  readonly asked?: readonly AskedTool[] | undefined;
}

/** An input that cannot be read: its message says why. */
class UnreadableInput extends Error {
  override readonly name: string = "UnreadableInput";
}

/** Where inputs are looked for, and whether servers are asked. */
interface InputSearch {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isAsking: boolean;
}

/** All inputs, and those that could not be read. */
export interface Inputs {
  readonly read: readonly Input[];
  readonly unread: readonly UnreadableInput[];
}

const CLIENT = { name: "toolcontract-lint", version: "1" };
/** How long a server may take for one answer, and for the first if npx has to install it, in milliseconds. */
const ANSWER_MS = 30_000;
const START_MS = 180_000;

const MAX_NAME = 64;

const MODULES = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

/** Reads all inputs of a command line; one that fails does not keep the others from being read. */
export async function readInputs(
  line: LintArguments,
  { cwd, env }: Omit<InputSearch, "isAsking">,
): Promise<Inputs> {
  const { files, urls, isAsking } = line;
  const search: InputSearch = { cwd, env, isAsking };
  const headers = Object.fromEntries(line.headers);
  const [command, ...args] = line.command;
  const servers: readonly ConfiguredServer[] = [
    ...urls.map((url) => ({ name: url, url, args: [], env: {}, headers })),
    ...(command === undefined
      ? []
      : [{ name: [command, ...args].join(" "), command, args, env, headers }]),
  ];
  const readings = [
    ...files.map(async (file) => readFile(file, search)),
    ...servers.map(async (server) => [await readServer(server.name, server, search)]),
  ];
  const settled = await Promise.allSettled(readings);
  const read: Input[] = [];
  const unread: UnreadableInput[] = [];
  for (const one of settled) {
    if (one.status === "rejected") {
      if (!(one.reason instanceof UnreadableInput)) throw one.reason;
      unread.push(one.reason);
      continue;
    }
    for (const reading of one.value) {
      if (reading instanceof UnreadableInput) unread.push(reading);
      else read.push(reading);
    }
  }
  return { read, unread };
}

type InputReading = Input | UnreadableInput;

/** Reads a file: tools, a module with tools, or the servers of an MCP client. */
async function readFile(given: string, search: InputSearch): Promise<readonly InputReading[]> {
  const path = resolve(search.cwd, given);
  const file = relative(search.cwd, path).replaceAll("\\", "/");
  const name = basename(path, extname(path));
  if (MODULES.includes(extname(path))) {
    const document = toolsOfModule(await importModule(path, given));
    return [
      withTools(
        { title: given, file, name, text: undefined, tools: readTools(document, name) },
        "exports no tools whose schemas can be read as JSON Schema.",
      ),
    ];
  }
  const text = readGivenFile(path, given);
  const document = parsedFile(text);
  if (document === undefined) throw new UnreadableInput(`${given} is not JSON.`);
  if (isTooDeep(document.value))
    throw new UnreadableInput(`${given} is nested more than ${MAX_LEVELS} levels deep.`);
  const servers = configuredServers(document.value, search.env);
  if (servers)
    return Promise.all(
      servers.map(async (server) => {
        const env = { ...inheritedFrom(search.env), ...server.env };
        const title = `${given}: ${oneLine(server.name, MAX_NAME)}`;
        return readServer(title, { ...server, env }, search).catch(asReading);
      }),
    );
  const tools = readTools(document.value, name);
  return [
    withTools(
      { title: given, file, name, text, tools },
      "holds no tools: pass the tools/list of an MCP server, the tools of a request, or a JSON Schema.",
    ),
  ];
}

function asReading(thrown: unknown): UnreadableInput {
  if (thrown instanceof UnreadableInput) return thrown;
  throw thrown;
}

function withTools(input: Input, complaint: string): Input {
  if (input.tools.length > 0) return input;
  throw new UnreadableInput(`${input.title} ${complaint}`);
}

function readGivenFile(path: string, given: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (thrown) {
    const { code = "failed" } = thrown as NodeJS.ErrnoException;
    throw new UnreadableInput(`${given} cannot be read (${code}).`);
  }
}

/** The value of a JSON file, which may have comments. */
export function parsedFile(text: string): { readonly value: unknown } | undefined {
  for (const plain of [(): string => text, () => withoutComments(text)]) {
    try {
      return { value: JSON.parse(plain()) as unknown };
    } catch {
      // The file may have comments.
    }
  }
  return undefined;
}

async function importModule(
  path: string,
  given: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const exports: unknown = await import(pathToFileURL(path).href);
    return isRecord(exports) ? exports : {};
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new UnreadableInput(`${given} cannot be loaded (${code ?? (thrown as Error).name}).`);
  }
}

/** Lists the tools of a server; throws an UnreadableInput if it does not answer. */
async function readServer(
  title: string,
  server: ConfiguredServer,
  { cwd, isAsking }: InputSearch,
): Promise<Input> {
  try {
    return await connect(transportTo(server, cwd), CLIENT, async (reached) => {
      const tools = readTools({ tools: await listTools(reached) });
      const asked = isAsking ? await askTools(reached, tools) : undefined;
      return { title, file: undefined, name: server.name, text: undefined, tools, asked };
    });
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    throw new UnreadableInput(`${title} cannot be listed: ${thrown.message}.`);
  }
}

function transportTo(
  { command, args, url, headers, ...server }: ConfiguredServer,
  cwd: string,
): Transport {
  if (command === undefined) {
    if (url === undefined || !URL.canParse(url)) throw new ServerError("its address is not a URL");
    return overHttp(new URL(url), Object.entries(headers), ANSWER_MS);
  }
  return overStdio({
    command: {
      command,
      args,
      cwd: resolve(cwd, server.cwd ?? "."),
      env: server.env,
    },
    errors: "ignore",
    answerMs: ANSWER_MS,
    startMs: START_MS,
  });
}

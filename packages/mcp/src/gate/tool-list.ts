import type { SchemaObject, ToolDefinition } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";
import { isRecord, type Message } from "../wire/index.ts";

const MAX_TOOLS = 10_000;
const MAX_NAME = 512;
const MAX_OPEN_PAGES = 20;
// A server may be replaced at any moment, and a call is refused only by a list that was read a moment ago.
const LIFETIME = 1_000;

/** The known tools of one client. */
export interface ToolList {
  find(name: string): ToolDefinition | undefined;
  /** All tools, if the list is known to its end. */
  all(): readonly ToolDefinition[] | undefined;
  /** False if the list has expired or the server has changed its tools. */
  isFresh(): boolean;
  /** Learns a page that was requested in the given state; false if the result is not a page. */
  learn(cursor: string | undefined, page: Message, state: number): boolean;
  /** Marks the list as changed by the server. */
  expire(): void;
  /** Counts the server's changes; a request remembers it, so that an older page is not taken for fresh. */
  readonly state: number;
}

/** The pages of one list so far; it is as old as its oldest page. */
interface Chain {
  readonly tools: readonly ToolDefinition[];
  /** The state in which its first page was requested. */
  readonly asked: number;
  readonly freshUntil: number;
}

/** Creates an empty list. */
export function createToolList(
  clock: () => number,
  definitions: ToolDefinitions,
  onComplete: (tools: readonly ToolDefinition[]) => void,
): ToolList {
  // Several clients may be paging at once; the next cursor identifies each chain.
  const chains = createRecentMap<string, Chain>(MAX_OPEN_PAGES);
  let tools = new Map<string, ToolDefinition>();
  let isComplete = false;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let state = 0;

  const isFresh = (): boolean => clock() < freshUntil;

  function merge(page: readonly ToolDefinition[], isFirst: boolean): void {
    if (isFirst && !isFresh()) {
      tools = new Map();
      isComplete = false;
    }
    for (const [name, tool] of toolsByName(page, definitions)) {
      if (tools.size < MAX_TOOLS) tools.set(name, tool);
    }
  }

  function complete(whole: readonly ToolDefinition[]): void {
    tools = toolsByName(whole, definitions);
    isComplete = true;
    onComplete([...tools.values()]);
  }

  return {
    find: (name) => tools.get(name),
    all: () => (isComplete ? [...tools.values()] : undefined),
    isFresh,
    learn(cursor, result, asked) {
      const { tools: entries } = result;
      if (!Array.isArray(entries)) return false;
      const page = entries
        .slice(0, MAX_TOOLS)
        .flatMap((entry: unknown) => definitions.read(entry) ?? []);
      const before = cursor === undefined ? newChain(asked) : chains.take(cursor);
      merge(page, cursor === undefined);
      if (before === undefined) return true;
      const whole = [...before.tools, ...page];
      const until = Math.min(before.freshUntil, clock() + LIFETIME);
      if (before.asked === state) freshUntil = until;
      if (whole.length > MAX_TOOLS) return true;
      const next = nextCursor(result);
      if (next === undefined) complete(whole);
      else chains.set(next, { ...before, tools: whole, freshUntil: until });
      return true;
    },
    expire() {
      state += 1;
      freshUntil = Number.NEGATIVE_INFINITY;
    },
    get state() {
      return state;
    },
  };
}

/** The cursor of the next page; some servers send an empty one to say that there is none. */
export function nextCursor({ nextCursor: cursor }: Message): string | undefined {
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}

/**
 * The tools of all lists, one definition object for each name and schema.
 *
 * An unchanged tool keeps its attempts and its compiled schema when it is listed again, and a thousand sessions share
 * one copy.
 */
export interface ToolDefinitions {
  /** Reads an entry of a list; undefined if it has no usable name. */
  read(entry: unknown): ToolDefinition | undefined;
  /** A tool of which only the name is known. */
  nameOnly(name: string): ToolDefinition;
  /** The schema of its results, if the server declares one. */
  outputSchemaOf(tool: ToolDefinition): SchemaObject | undefined;
}

/** Creates the register; it forgets the least recently listed tools. */
export function createToolDefinitions(): ToolDefinitions {
  const definitions = createRecentMap<string, ToolDefinition>(MAX_TOOLS);
  const outputSchemas = new WeakMap<ToolDefinition, SchemaObject>();

  function define(
    name: string,
    inputSchema?: SchemaObject,
    outputSchema?: SchemaObject,
  ): ToolDefinition {
    const made = { name, ...(inputSchema && { inputSchema }) };
    const text = toolText([made, outputSchema]);
    const known = text === undefined ? undefined : definitions.get(text);
    if (known !== undefined) return known;
    if (text !== undefined) definitions.set(text, made);
    if (outputSchema) outputSchemas.set(made, outputSchema);
    return made;
  }
  return {
    read(entry) {
      if (!isRecord(entry)) return undefined;
      const { name, inputSchema, outputSchema } = entry;
      if (typeof name !== "string" || name === "" || name.length > MAX_NAME) return undefined;
      // Only an object can be a schema to validate with.
      return define(name, schemaIn(inputSchema), schemaIn(outputSchema));
    },
    nameOnly: (name) => define(name),
    outputSchemaOf: (tool) => outputSchemas.get(tool),
  };
}

/** Some libraries attach their validator to the JSON Schema they produce; core would validate with that instead. */
function schemaIn(entry: unknown): SchemaObject | undefined {
  if (!isRecord(entry)) return undefined;
  const { "~standard": _, ...own } = entry;
  return own;
}

function toolText(tool: unknown): string | undefined {
  try {
    return JSON.stringify(tool);
  } catch {
    // Nested so deeply that serializing it overflows the stack.
    return undefined;
  }
}

function newChain(asked: number): Chain {
  return { tools: [], asked, freshUntil: Number.POSITIVE_INFINITY };
}

/** If a name is listed twice, only the server knows which tool it means, so neither schema is used. */
function toolsByName(
  tools: readonly ToolDefinition[],
  definitions: ToolDefinitions,
): Map<string, ToolDefinition> {
  const named = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    const twin = named.get(tool.name);
    named.set(tool.name, twin && twin !== tool ? definitions.nameOnly(tool.name) : tool);
  }
  return named;
}

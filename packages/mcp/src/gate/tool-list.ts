import type { SchemaObject, ToolDefinition } from "@toolcontract/core";
import { type Message, isRecord } from "../wire/index.ts";
import { createRecentMap } from "@toolcontract/core/adapter";

const MAX_TOOLS = 10_000;
const MAX_OPEN_PAGES = 20;
const LIFETIME = 300_000;
// Many servers write 0 because they have nothing better to say; a list asked for just now is new enough.
const SHORTEST_LIFETIME = 1_000;

/** What is known of the tools that one listener sees. */
export interface ToolList {
  find(name: string): ToolDefinition | undefined;
  /** All tools, where the list is known to its end. */
  all(): readonly ToolDefinition[] | undefined;
  /** False where the server may have changed its tools since. */
  isFresh(): boolean;
  /** Learns a page that answers a request which was sent in the given state; false where it is none. */
  learn(cursor: string | undefined, page: Message, state: number): boolean;
  /** Notes that the server changed its tools. */
  expire(): void;
  /** Which of the server's changes are known of; requests remember it. */
  readonly state: number;
}

/** The pages of one list so far; it is as old as its oldest page. */
interface Chain {
  readonly tools: readonly ToolDefinition[];
  /** The state in which its first page was asked for. */
  readonly asked: number;
  readonly freshUntil: number;
}

/** Starts with nothing known. */
export function createToolList(clock: () => number, listed: ListedTools): ToolList {
  // Pages come one by one, and several clients may be reading them: each chain is known by its next cursor.
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
    for (const [name, tool] of byName(page, listed)) {
      if (tools.size < MAX_TOOLS) tools.set(name, tool);
    }
  }

  function complete(whole: readonly ToolDefinition[]): void {
    tools = byName(whole, listed);
    isComplete = true;
  }

  return {
    find: (name) => tools.get(name),
    all: () => (isComplete ? [...tools.values()] : undefined),
    isFresh,
    learn(cursor, result, asked) {
      const { tools: entries, ttlMs } = result;
      if (!Array.isArray(entries)) return false;
      const page = entries
        .slice(0, MAX_TOOLS)
        .flatMap((entry: unknown) => listed.read(entry) ?? []);
      const before = cursor === undefined ? startedAt(asked) : chains.take(cursor);
      merge(page, cursor === undefined);
      if (before === undefined) return true;
      const whole = [...before.tools, ...page];
      const until = Math.min(before.freshUntil, clock() + lifetime(ttlMs));
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

/** The cursor of the page after this one; an empty one is how some servers write that there is none. */
export function nextCursor({ nextCursor: cursor }: Message): string | undefined {
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}

function startedAt(asked: number): Chain {
  return { tools: [], asked, freshUntil: Number.POSITIVE_INFINITY };
}

/** Of a name that is listed twice, only the server knows which it means: neither schema is held against a call. */
function byName(
  tools: readonly ToolDefinition[],
  listed: ListedTools,
): Map<string, ToolDefinition> {
  const named = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    const twin = named.get(tool.name);
    named.set(tool.name, twin && twin !== tool ? listed.nameOnly(tool.name) : tool);
  }
  return named;
}

function lifetime(ttlMs: unknown): number {
  return typeof ttlMs === "number" ? Math.max(ttlMs, SHORTEST_LIFETIME) : LIFETIME;
}

const MAX_NAME = 512;

/**
 * The tools of all lists.
 *
 * Each has one definition however often and by whom it is listed, and with it all that was worked out for it: an
 * unchanged tool keeps its attempts, and a thousand sessions keep one copy of its schema.
 */
export interface ListedTools {
  /** Reads one entry of a list; undefined where it has no usable name. */
  read(entry: unknown): ToolDefinition | undefined;
  /** The tool of which nothing but the name is sure. */
  nameOnly(name: string): ToolDefinition;
}

/** Makes the register of tools; it forgets the least recently listed ones. */
export function createListedTools(): ListedTools {
  const definitions = createRecentMap<string, ToolDefinition>(MAX_TOOLS);

  function define(name: string, inputSchema: SchemaObject | undefined): ToolDefinition {
    const made = { name, ...(inputSchema && { inputSchema }) };
    const text = textOf(made);
    if (text === undefined) return made;
    const known = definitions.get(text);
    if (known === undefined) definitions.set(text, made);
    return known ?? made;
  }
  return {
    read(entry) {
      if (!isRecord(entry)) return undefined;
      const { name, inputSchema } = entry;
      if (typeof name !== "string" || name === "" || name.length > MAX_NAME) return undefined;
      // A schema of another form says nothing that could be judged by.
      return define(name, isRecord(inputSchema) ? withoutValidator(inputSchema) : undefined);
    },
    nameOnly: (name) => define(name, undefined),
  };
}

/** Some libraries hang their validator on the JSON Schema that they write; core would take it for the validator. */
function withoutValidator(schema: SchemaObject): SchemaObject {
  const { "~standard": _, ...own } = schema;
  return own;
}

function textOf(tool: ToolDefinition): string | undefined {
  try {
    return JSON.stringify(tool);
  } catch {
    // Nested so deep that writing it down overflows the stack.
    return undefined;
  }
}

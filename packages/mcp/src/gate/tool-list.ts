import type { ToolDefinition } from "@toolcontract/core";
import { readListedTool } from "./listed-tool.ts";
import type { Message } from "./link.ts";
import { createRecentMap } from "./recent-map.ts";

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

/** Starts with nothing known. */
export function createToolList(clock: () => number): ToolList {
  // Pages come one by one, and several clients may be reading them: each chain is known by its next cursor.
  const chains = createRecentMap<string, readonly ToolDefinition[]>(MAX_OPEN_PAGES);
  let tools = new Map<string, ToolDefinition>();
  let former = tools;
  let isComplete = false;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let state = 0;

  const isFresh = (): boolean => clock() < freshUntil;

  function merge(page: readonly ToolDefinition[], isFirst: boolean): void {
    if (isFirst && !isFresh()) {
      former = tools;
      tools = new Map();
      isComplete = false;
    }
    for (const tool of page) if (tools.size < MAX_TOOLS) tools.set(tool.name, tool);
  }

  function complete(whole: readonly ToolDefinition[]): void {
    former = tools;
    tools = new Map(whole.map((tool) => [tool.name, tool]));
    isComplete = true;
  }

  return {
    find: (name) => tools.get(name),
    all: () => (isComplete ? [...tools.values()] : undefined),
    isFresh,
    learn(cursor, { tools: entries, nextCursor, ttlMs }, asked) {
      if (!Array.isArray(entries)) return false;
      const before = (name: string): ToolDefinition | undefined =>
        tools.get(name) ?? former.get(name);
      const page = entries
        .slice(0, MAX_TOOLS)
        .flatMap((entry: unknown) => readListedTool(entry, before) ?? []);
      const chain = cursor === undefined ? [] : chains.take(cursor);
      merge(page, cursor === undefined);
      if (asked === state) freshUntil = clock() + lifetime(ttlMs);
      if (chain === undefined || chain.length + page.length > MAX_TOOLS) return true;
      const whole = [...chain, ...page];
      if (typeof nextCursor === "string") chains.set(nextCursor, whole);
      else complete(whole);
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

function lifetime(ttlMs: unknown): number {
  return typeof ttlMs === "number" ? Math.max(ttlMs, SHORTEST_LIFETIME) : LIFETIME;
}

import type { SchemaObject, ToolDefinition } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";
import { isRecord, type Message } from "../wire/index.ts";
import type { Link } from "./link.ts";
import { createToolDefinitions, createToolList, nextCursor, type ToolList } from "./tool-list.ts";

// As many as there are sessions; an evicted list is requested again.
const MAX_LISTS = 1_000;
const MAX_PAGES = 100;
const WAIT_AFTER_TIMEOUT_MS = 1_000;
const BACK_OFF_MS = 30_000;

/** The tool lists of all clients. */
export interface ToolLists {
  of(link: Link): ToolList;
  /** Requests the list from the server, unless a request is under way; resolves to whether it is now complete. */
  refresh(link: Link, like: Message): Promise<boolean>;
  /** Marks all lists as outdated. */
  expire(): void;
  /** The schema of a tool's results, if the server declares one. */
  outputSchemaOf(tool: ToolDefinition): SchemaObject | undefined;
}

/** The clock, and how long to wait for a list. */
export interface ListsOptions {
  readonly clock: () => number;
  readonly listTimeoutMs: number;
  /** Called with the tools when a list is known to its end. */
  readonly onComplete: (tools: readonly ToolDefinition[]) => void;
  /** Called if a list cannot be had. */
  readonly onFailure: (thrown: unknown) => void;
}

/** The server did not list its tools in time. */
class ToolListTimeout extends Error {}

/** The server's answer is not a list of tools. */
class ToolListUnusable extends Error {}

/** The server's list has no end. */
class ToolListEndless extends Error {}

interface ListEntry {
  readonly list: ToolList;
  asking?: Promise<boolean> | undefined;
  /** A server that was late is asked again, but calls do not wait for it as long before this time. */
  impatientUntil: number;
  /** A list without an end is not read again before this time. */
  backOffUntil: number;
  /** How often all lists had been marked as outdated when this one was last used. */
  expired: number;
}

/** Creates the register of lists. */
export function createToolLists(options: ListsOptions): ToolLists {
  const { clock, listTimeoutMs, onComplete, onFailure } = options;
  let expired = 0;
  const entries = createRecentMap<string, ListEntry>(MAX_LISTS);
  const definitions = createToolDefinitions();

  function entryOf({ listKey }: Link): ListEntry {
    const known = entries.get(listKey);
    if (known) {
      if (known.expired !== expired) known.list.expire();
      known.expired = expired;
      return known;
    }
    const list = createToolList(clock, definitions, onComplete);
    const made = { list, impatientUntil: 0, backOffUntil: 0, expired };
    entries.set(listKey, made);
    return made;
  }

  async function ask(entry: ListEntry, link: Link, like: Message): Promise<boolean> {
    const isImpatient = clock() < entry.impatientUntil;
    const wait = isImpatient ? Math.min(WAIT_AFTER_TIMEOUT_MS, listTimeoutMs) : listTimeoutMs;
    try {
      await listedWithin(wait, readPages(entry.list, link, like));
      return true;
    } catch (thrown) {
      if (thrown instanceof ToolListTimeout) entry.impatientUntil = clock() + BACK_OFF_MS;
      if (thrown instanceof ToolListEndless) entry.backOffUntil = clock() + BACK_OFF_MS;
      onFailure(thrown);
      return false;
    } finally {
      entry.asking = undefined;
    }
  }

  return {
    of: (link) => entryOf(link).list,
    async refresh(link, like) {
      const entry = entryOf(link);
      if (entry.asking === undefined && clock() < entry.backOffUntil) return false;
      entry.asking ??= ask(entry, link, like);
      return entry.asking;
    },
    expire() {
      expired += 1;
    },
    outputSchemaOf: (tool) => definitions.outputSchemaOf(tool),
  };
}

async function readPages(list: ToolList, link: Link, like: Message): Promise<void> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (seen.size < MAX_PAGES) {
    const { state } = list;
    const result = await link.listTools(cursor === undefined ? {} : { cursor }, like);
    if (!isRecord(result) || !list.learn(cursor, result, state)) throw new ToolListUnusable();
    cursor = nextCursor(result);
    if (cursor === undefined && list.all() !== undefined) return;
    // A repeated cursor would page forever.
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  throw new ToolListEndless();
}

/** Settles like the task, or rejects after a time limit. */
async function listedWithin(milliseconds: number, task: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ToolListTimeout());
    }, milliseconds);
  });
  return Promise.race([task, late]).finally(() => clearTimeout(timer));
}

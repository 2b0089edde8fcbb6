import { createRecentMap } from "@toolcontract/core/adapter";
import { isRecord, type Message } from "../wire/index.ts";
import type { Link } from "./link.ts";
import { createToolDefinitions, createToolList, nextCursor, type ToolList } from "./tool-list.ts";

// As many as there are sessions; an evicted list is requested again.
const MAX_LISTS = 1_000;
const MAX_PAGES = 100;
const RETRY_AFTER = 30_000;

/** The tool lists of all clients. */
export interface ToolLists {
  of(link: Link): ToolList;
  /** Requests the list from the server, unless a request is under way; resolves to whether it is now complete. */
  refresh(link: Link, like: Message): Promise<boolean>;
}

/** The clock, and how long to wait for a list. */
export interface ListsOptions {
  readonly clock: () => number;
  readonly listTimeoutMs: number;
}

interface Entry {
  readonly list: ToolList;
  asking?: Promise<boolean> | undefined;
  /** A server that did not answer is not asked again before this time. */
  retryAt: number;
}

/** Creates the register of lists. */
export function createToolLists({ clock, listTimeoutMs }: ListsOptions): ToolLists {
  const entries = createRecentMap<string, Entry>(MAX_LISTS);
  const definitions = createToolDefinitions();

  function entryOf({ listKey }: Link): Entry {
    const known = entries.get(listKey);
    if (known) return known;
    const made = { list: createToolList(clock, definitions), retryAt: Number.NEGATIVE_INFINITY };
    entries.set(listKey, made);
    return made;
  }

  async function ask(entry: Entry, link: Link, like: Message): Promise<boolean> {
    const pages = readPages(entry.list, link, like).catch(() => false);
    const isKnown = await within(listTimeoutMs, pages);
    entry.asking = undefined;
    if (!isKnown) entry.retryAt = clock() + RETRY_AFTER;
    return isKnown;
  }

  return {
    of: (link) => entryOf(link).list,
    async refresh(link, like) {
      const entry = entryOf(link);
      if (entry.asking === undefined && clock() < entry.retryAt) return false;
      entry.asking ??= ask(entry, link, like);
      return entry.asking;
    },
  };
}

async function readPages(list: ToolList, link: Link, like: Message): Promise<boolean> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (seen.size < MAX_PAGES) {
    const { state } = list;
    const result = await link.listTools(cursor === undefined ? {} : { cursor }, like);
    if (!isRecord(result) || !list.learn(cursor, result, state)) return false;
    cursor = nextCursor(result);
    if (cursor === undefined) return list.all() !== undefined;
    // A repeated cursor would page forever.
    if (seen.has(cursor)) return false;
    seen.add(cursor);
  }
  return false;
}

/** Resolves like the task, or to false after a time limit. */
async function within(milliseconds: number, task: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  return Promise.race([task, late]).finally(() => clearTimeout(timer));
}

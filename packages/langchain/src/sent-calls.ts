import type { AIMessage } from "@langchain/core/messages";
import { isRecord, parseJson } from "@toolcontract/core/adapter";

/** What one place of a message says of a call. A message has its calls in several places, and gateways repeat their ids. */
export interface CallEntry {
  readonly id?: unknown;
  readonly name?: unknown;
  /** The arguments, as a value or as text. */
  readonly args: unknown;
}

/**
 * Finds the call of each entry, by its position: entries have the order of the calls, though some may be missing. Of several calls with
 * one id, an entry belongs to the one with its arguments, else to the next one with its name.
 */
export function pairCalls(
  calls: readonly CallEntry[],
  entries: readonly CallEntry[],
): readonly (number | undefined)[] {
  const left = indexesById(calls);
  const given = indexesById(entries);
  const found = entries.map((): number | undefined => undefined);
  const take = (fits: (call: CallEntry, entry: CallEntry) => boolean): void => {
    for (const [at, entry] of entries.entries()) {
      const indexes = found[at] === undefined ? (left.get(idIn(entry)) ?? []) : [];
      const next = indexes.findIndex((index) => fits(calls[index] as CallEntry, entry));
      if (next !== -1) [found[at]] = indexes.splice(next, 1);
    }
  };
  const isRepeated = [...left.values(), ...given.values()].some(({ length }) => length > 1);
  if (isRepeated) {
    take((call, entry) => call.name === entry.name && valueOf(call) === valueOf(entry));
    take((call, entry) => call.name === entry.name);
  }
  take((call, entry) => idIn(entry) !== "" || call.name === entry.name);
  return found;
}

function indexesById(calls: readonly CallEntry[]): Map<string, number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, call] of calls.entries()) {
    const id = idIn(call);
    indexes.set(id, [...(indexes.get(id) ?? []), index]);
  }
  return indexes;
}

function idIn({ id }: CallEntry): string {
  return typeof id === "string" ? id : "";
}

/** The arguments as text that is equal for equal values. */
export function valueOf({ args }: Pick<CallEntry, "args">): string | undefined {
  if (typeof args !== "string") return JSON.stringify(args);
  const value = parseJson(args);
  return value === undefined ? args.trim() : JSON.stringify(value);
}

/** The calls whose arguments a client streamed, each with the pieces that the client joined. */
export function streamedCalls(message: AIMessage): readonly CallEntry[] {
  const pieces: unknown = "tool_call_chunks" in message ? message.tool_call_chunks : undefined;
  if (!Array.isArray(pieces)) return [];
  const groups: Readonly<Record<string, unknown>>[][] = [];
  for (const piece of (pieces as readonly unknown[]).filter(isRecord)) {
    const group = groups.find(([first]) => first !== undefined && isPart(piece, first));
    if (group) group.push(piece);
    else groups.push([piece]);
  }
  return groups.map((group) => ({
    id: group.find(({ id }) => Boolean(id))?.["id"],
    name: group[0]?.["name"],
    args: group.map(({ args }) => (typeof args === "string" ? args : "")).join(""),
  }));
}

/** Whether a client joins a piece to those of a call that began with `first`. */
function isPart(
  { id, index }: Readonly<Record<string, unknown>>,
  first: Readonly<Record<string, unknown>>,
): boolean {
  const isNamed = id !== undefined && id !== null && id !== "";
  if (isNamed && id !== first["id"]) return false;
  if (index !== undefined) return index === first["index"];
  return isNamed;
}

/** The calls as OpenAI's chat API sent them. */
export function chatCalls({ additional_kwargs }: AIMessage): readonly CallEntry[] {
  const { tool_calls: sent }: { readonly tool_calls?: unknown } = additional_kwargs;
  if (!Array.isArray(sent)) return [];
  return (sent as readonly unknown[]).map((call) => {
    const { id, function: made } = isRecord(call) ? call : {};
    const { name, arguments: args } = isRecord(made) ? made : {};
    return { id, name, args };
  });
}

/** The content blocks that have a call each; others have no id. */
export function contentCalls({ content }: AIMessage): readonly CallEntry[] {
  if (typeof content === "string") return [];
  return (content as readonly unknown[]).map((block) => {
    const { type, id, name, args, input = args } = isRecord(block) ? block : {};
    return { id: type === "tool_use" || type === "tool_call" ? id : undefined, name, args: input };
  });
}

/** The output items of OpenAI's Responses API; those that are not calls have no id. */
export function outputItems({ response_metadata }: AIMessage): readonly CallEntry[] {
  const { output }: { readonly output?: unknown } = response_metadata;
  if (!Array.isArray(output)) return [];
  return (output as readonly unknown[]).map((item) => {
    const { type, call_id: id, name, arguments: args } = isRecord(item) ? item : {};
    return { id: type === "function_call" ? id : undefined, name, args };
  });
}

import { AIMessage } from "@langchain/core/messages";
import {
  countAttempts,
  type Contract,
  FORMAT_VERSION,
  type ModelTurn,
  type TurnResult,
} from "@toolcontract/core";
import { isRecord, readResultMarker } from "@toolcontract/core/adapter";

const KEY = "toolcontract";
/** More failed calls in a turn say nothing new. */
const MAX_CALLS = 20;
const MAX_TURNS = 50;

/** A turn, and the id of the model's message. */
export interface HistoryTurn extends ModelTurn {
  readonly messageId?: string | undefined;
}

interface KeptTurn extends HistoryTurn {
  readonly results: TurnResult[];
}

/**
 * Keeps the failed turns that still count with the model's next message, so that the count survives middleware that removes the messages
 * before it, such as a summary. Does nothing if none counts.
 */
export function keepTurns(
  message: unknown,
  turns: readonly HistoryTurn[],
  { settings: { scope } }: Pick<Contract, "settings">,
): void {
  if (!AIMessage.isInstance(message)) return;
  const refused = turns.map(refusedIn).filter(({ calls }) => calls.length > 0);
  const names = new Set(refused.flatMap(({ calls }) => calls.map(({ name }) => name)));
  if (names.size === 0) return;
  // The next message begins another turn.
  const over = [...turns, { calls: [], results: [] }];
  const left = new Map(
    [...names].map((name) => [name, countAttempts(over, name, scope).failed] as const),
  );
  const kept = refused
    .toReversed()
    .map((turn) => withinCounts(turn, left))
    .filter(({ calls }) => calls.length > 0)
    .slice(0, MAX_TURNS)
    .toReversed();
  if (kept.length === 0) return;
  const given: unknown = message.response_metadata[KEY];
  if (isRecord(given)) return;
  const response_metadata = {
    ...message.response_metadata,
    [KEY]: { formatVersion: FORMAT_VERSION, status: "open", turns: kept },
  };
  // Does nothing if the message is frozen.
  Reflect.set(message, "response_metadata", response_metadata);
  Reflect.set(message.lc_kwargs, "response_metadata", response_metadata);
}

/** The calls of a turn that were refused, with what is needed to count them. */
function refusedIn({ calls, results, messageId }: HistoryTurn): KeptTurn {
  const errors = new Map(
    results
      .filter(({ isError, marker }) => isError && marker?.status !== "executed")
      .map((result) => [result.toolCallId, result]),
  );
  const found = errors.size === 0 ? [] : calls.filter(({ id }) => errors.has(id));
  return {
    messageId,
    calls: found.map(({ id, name }) => ({ id, name })),
    results: found.flatMap(({ id }) => {
      const { content, ...result } = errors.get(id) as TurnResult;
      return [result.marker || content === undefined ? result : { ...result, content }];
    }),
  };
}

/** The calls of a turn whose tools have failures left to find; takes one off each. */
function withinCounts(
  { calls, results, messageId }: KeptTurn,
  left: Map<string, number>,
): KeptTurn {
  const counted = calls.filter(({ name }) => (left.get(name) ?? 0) > 0).slice(0, MAX_CALLS);
  for (const name of new Set(counted.map((call) => call.name)))
    left.set(name, (left.get(name) ?? 0) - 1);
  const ids = new Set(counted.map(({ id }) => id));
  return { messageId, calls: counted, results: results.filter((one) => ids.has(one.toolCallId)) };
}

/** The turns that are kept with a message and not among those before it any more; data of any origin. */
export function keptTurns(message: AIMessage, known: readonly HistoryTurn[]): readonly KeptTurn[] {
  const ours: unknown = message.response_metadata[KEY];
  const list: unknown = isRecord(ours) ? ours["turns"] : undefined;
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_TURNS).flatMap((turn: unknown) => {
    const read = readTurn(turn);
    return read === undefined || known.some((one) => isSameTurn(one, read)) ? [] : [read];
  });
}

/** Some providers repeat the ids of calls, so those of messages decide if there are any. */
function isSameTurn(turn: HistoryTurn, kept: KeptTurn): boolean {
  if (turn.messageId !== undefined && kept.messageId !== undefined)
    return turn.messageId === kept.messageId;
  return kept.calls.some(({ id }) => turn.calls.some((call) => call.id === id));
}

function readTurn(turn: unknown): KeptTurn | undefined {
  const { calls, results, messageId } = isRecord(turn) ? turn : {};
  if (!Array.isArray(calls) || !Array.isArray(results)) return undefined;
  return {
    ...(typeof messageId === "string" && { messageId }),
    calls: calls.filter(isRecord).flatMap(({ id, name }) => {
      return typeof id === "string" && typeof name === "string" ? [{ id, name }] : [];
    }),
    results: results.filter(isRecord).flatMap(({ toolCallId, content, marker }) => {
      if (typeof toolCallId !== "string") return [];
      const read = readResultMarker(marker);
      const text = typeof content === "string" ? { content } : {};
      return [{ toolCallId, isError: true, ...text, ...(read && { marker: read }) }];
    }),
  };
}

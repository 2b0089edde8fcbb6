import { createRecentMap, isRecord } from "@toolcontract/explain/adapter";
import { madeId } from "../shared/index.ts";
import { type Dialect, type Json, type SentCall, objectOf } from "./dialect.ts";
import { type HistoryProvider, type HistoryRules, rulesOf, sendableName } from "./rules.ts";

/** What was changed in a history. */
export interface HistoryChange {
  /** The message, as an index into those that were given. */
  readonly index: number;
  /** What was changed, in words. */
  readonly what: string;
}

/** A history that a provider takes. */
export interface RepairedHistory<TMessage> {
  /** The messages; one that needed no change is the same object. */
  readonly messages: TMessage[];
  /** What was changed, in the order of the messages. */
  readonly changes: readonly HistoryChange[];
}

/**
 * The messages of a framework as every provider takes them, or as the one that is named does; the same list if they need no change.
 *
 * @param dialect - How the framework writes calls and answers.
 */
export function repairWith<TMessage>(
  given: readonly TMessage[],
  dialect: Dialect,
  provider?: HistoryProvider,
): readonly TMessage[] {
  const rules = rulesOf(provider);
  if (rules === undefined || isSendable(given, dialect, rules)) return given;
  return repairMessages(given, dialect, rules).messages as TMessage[];
}

/** The messages as the rules want them. */
export function repairMessages(
  given: readonly unknown[],
  dialect: Dialect,
  rules: HistoryRules,
): RepairedHistory<unknown> {
  const changes: HistoryChange[] = [];
  const pairs = pairAnswers(given, dialect, changes);
  const ids = createIds(rules);
  const repaired: unknown[] = [];
  let due: readonly Json[] = [];
  // A message with answers, which is kept as it is if nothing in it changed.
  let carrier: unknown;

  const flush = (next: Json | undefined): void => {
    const joined = dialect.join(due, next);
    repaired.push(...joined.map((one) => sameAs(one, carrier)));
    due = [];
    carrier = undefined;
  };
  for (const [index, message] of given.entries()) {
    if (!isRecord(message)) {
      flush(undefined);
      repaired.push(message);
      continue;
    }
    if (dialect.answersOf(message).length > 0) carrier = message;
    const rest = dialect.rest(message);
    if (rest === undefined) {
      flush(undefined);
      continue;
    }
    const calls = dialect.callsOf(rest);
    if (calls.length === 0) {
      flush(rest);
      continue;
    }
    const note = (what: string): void => void changes.push({ index, what });
    const sent = calls.map((call, place) => sentCall(call, place + 1, { dialect, ids, note }));
    const written = calls.map((call, place) => {
      const one = sent[place];
      return one === undefined || !one.isChanged ? call : dialect.write(call, one);
    });
    flush(sent.some(({ isChanged }) => isChanged) ? dialect.withCalls(rest, written) : rest);
    const found = sent.map((one, place) => ({ one, pair: pairs.get(calls[place] ?? {}), place }));
    const answered = found.flatMap(({ one, pair }) =>
      pair ? [{ answer: dialect.readdress(pair.answer, one, message), at: pair.at }] : [],
    );
    const unanswered = found.flatMap(({ one, pair, place }) => {
      if (pair) return [];
      note(`call ${place + 1} has no answer: one says that its outcome is unknown`);
      return [dialect.unknown(one, message, calls[place] ?? {})];
    });
    // In the order in which they came: providers take any, and prompt caches hold.
    const inOrder = answered.toSorted((one, other) => one.at - other.at);
    due = [...inOrder.map(({ answer }) => answer), ...unanswered];
  }
  flush(undefined);
  return {
    messages: repaired,
    changes: changes.toSorted((one, other) => one.index - other.index),
  };
}

/**
 * Whether a provider takes the messages as they are: each call has an id of its own, and right after it one answer.
 *
 * @remarks Reads each message once, so that a request with such a history costs little.
 */
function isSendable(given: readonly unknown[], dialect: Dialect, rules: HistoryRules): boolean {
  const ids: string[] = [];
  const open = new Set<unknown>();
  // A history only grows: its beginning was looked at with the last request, and need not be counted again.
  let before: readonly string[] = [];
  let taken: Set<string> | undefined;
  for (const message of given) {
    if (!isRecord(message)) continue;
    for (const answer of dialect.answersOf(message)) {
      if (!open.delete(dialect.answeredId(answer))) return false;
    }
    if (dialect.rest(message) === undefined) continue;
    if (open.size > 0) return false;
    for (const call of dialect.callsOf(message)) {
      const { id, name, args } = dialect.read(call);
      const isNamed = typeof name === "string" && rules.name.test(name);
      if (!isNamed || !isCallId(id)) return false;
      if (!dialect.takes(args, rules.onlyObjects, call)) return false;
      if (ids.length === 0) before = sendableIds.get(keyOfIds(id, rules)) ?? [];
      if (taken !== undefined || before[ids.length] !== id) {
        taken ??= new Set(ids);
        if (!rules.id.test(id) || taken.has(id)) return false;
        taken.add(id);
      }
      ids.push(id);
      open.add(id);
    }
  }
  if (open.size > 0) return false;
  const [first] = ids;
  if (first !== undefined && ids.length > before.length)
    sendableIds.set(keyOfIds(first, rules), ids);
  return true;
}

/** Far more histories than grow at the same time. */
const MAX_HISTORIES = 100;
/** The ids of histories that a provider takes, by their first one. */
const sendableIds = createRecentMap<string, readonly string[]>(MAX_HISTORIES);

function keyOfIds(first: string, rules: HistoryRules): string {
  return `${rules.id.source} ${first}`;
}

/** An answer, and its place among all answers. */
interface FoundAnswer {
  readonly answer: Json;
  readonly at: number;
}

interface GivenAnswer extends FoundAnswer {
  /** The message that it is in. */
  readonly index: number;
}

/** Finds the answer of each call: by id among those before the next calls, then by order where ids are missing, then further on. */
function pairAnswers(
  given: readonly unknown[],
  dialect: Dialect,
  changes: HistoryChange[],
): ReadonlyMap<Json, FoundAnswer> {
  const pairs = new Map<Json, FoundAnswer>();
  const left = new Set<GivenAnswer>();
  const lists: { readonly calls: readonly Json[]; readonly near: GivenAnswer[]; index: number }[] =
    [];
  for (const [index, message] of given.entries()) {
    if (!isRecord(message)) continue;
    for (const answer of dialect.answersOf(message)) {
      const found = { answer, index, at: left.size };
      left.add(found);
      lists.at(-1)?.near.push(found);
    }
    const calls = dialect.callsOf(message);
    if (calls.length > 0) lists.push({ calls, near: [], index });
  }
  const answers = [...left];
  const idOf = (call: Json): unknown => dialect.read(call).id;
  const pair = (call: Json, found: GivenAnswer | undefined): void => {
    if (found === undefined) return;
    pairs.set(call, found);
    left.delete(found);
  };
  for (const { calls, near } of lists) {
    for (const call of calls)
      pair(
        call,
        near.find((one) => left.has(one) && dialect.answeredId(one.answer) === idOf(call)),
      );
    for (const call of calls.filter((one) => !pairs.has(one) && !isCallId(idOf(one))))
      pair(
        call,
        near.find((one) => left.has(one)),
      );
  }
  for (const { calls, index } of lists) {
    for (const call of calls.filter((one) => !pairs.has(one)))
      pair(
        call,
        answers.find(
          (one) =>
            left.has(one) && one.index > index && dialect.answeredId(one.answer) === idOf(call),
        ),
      );
  }
  for (const { index } of left) {
    changes.push({ index, what: "an answer that belongs to no call is left out" });
  }
  return pairs;
}

function isCallId(id: unknown): id is string {
  return typeof id === "string" && id !== "";
}

/** Gives each call of a history an id of its own that the provider takes. */
type Ids = ((id: unknown) => string) & { readonly rules: HistoryRules };

function createIds(rules: HistoryRules): Ids {
  const taken = new Set<string>();
  const seen = new Map<unknown, number>();
  const idFor = (id: unknown): string => {
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    const isFine = isCallId(id) && rules.id.test(id) && !taken.has(id);
    let sent = isFine ? id : madeId(JSON.stringify([id ?? null, count]));
    for (let salt = 0; taken.has(sent); salt += 1) sent = madeId(`${sent}:${salt}`);
    taken.add(sent);
    return sent;
  };
  return Object.assign(idFor, { rules });
}

interface Sending {
  readonly dialect: Dialect;
  readonly ids: Ids;
  readonly note: (what: string) => void;
}

function sentCall(
  call: Json,
  place: number,
  { dialect, ids, note }: Sending,
): SentCall & { readonly isChanged: boolean } {
  const { rules } = ids;
  const { id, name, args } = dialect.read(call);
  const before = typeof id === "string" ? id : undefined;
  const sent = ids(id);
  if (sent !== before) note(`the id of call ${place} is now "${sent}"`);
  const isNamed = typeof name === "string" && rules.name.test(name);
  const named = isNamed ? name : sendableName(name);
  if (!isNamed) note(`the name of call ${place} is now "${named}"`);
  const replaced = dialect.takes(args, rules.onlyObjects, call)
    ? undefined
    : (objectOf(args) ?? {});
  if (replaced !== undefined) note(`the arguments of call ${place} are now an object`);
  const isChanged = sent !== before || !isNamed || replaced !== undefined;
  return { id: sent, name: named, args: replaced, isChanged };
}

/** The message that was given, if the repaired one has the same blocks and nothing else of its own. */
function sameAs(message: Json, given: unknown): Json {
  if (!isRecord(given)) return message;
  const [content, other] = [message["content"], given["content"]];
  const keys = Object.keys(message).filter((key) => key !== "content");
  const isSame =
    keys.every((key) => message[key] === given[key]) &&
    Array.isArray(content) &&
    Array.isArray(other) &&
    content.length === other.length &&
    content.every((block, index) => block === other[index]);
  return isSame ? given : message;
}

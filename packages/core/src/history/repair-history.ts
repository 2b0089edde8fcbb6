import { ToolContractError } from "@toolcontract/explain";
import { isRecord } from "@toolcontract/explain/adapter";
import { madeId } from "../shared/index.ts";
import { ANTHROPIC } from "./anthropic-messages.ts";
import { CHAT } from "./chat-messages.ts";
import { type Dialect, type Json, type SentCall, jsonsOf, objectOf } from "./dialect.ts";
import {
  HISTORY_PROVIDERS,
  type HistoryProvider,
  type HistoryRules,
  rulesOf,
  sendableName,
} from "./rules.ts";

/**
 * Which provider the history is for.
 *
 * @example
 * ```ts
 * const options: RepairHistoryOptions = { provider: "mistral" };
 * ```
 * @see docs/your-own-loop.md
 */
export interface RepairHistoryOptions {
  /**
   * The provider that the next request goes to.
   *
   * @default what every provider takes
   */
  readonly provider?: HistoryProvider;
}

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
 * Makes a stored conversation one that providers take: a refused name, an id of another provider, arguments that are not an object or a
 * call without an answer are otherwise a 400 for every later request. Nothing is invented: a call without an answer reads that its
 * outcome is unknown, and an answer without a call is left out.
 *
 * @remarks It reads messages of Chat Completions and of Anthropic. The same history gives the same messages, so prompt caches hold.
 * @throws ToolContractError if the messages are not an array, or the provider is unknown.
 *
 * @example
 * ```ts
 * const { messages: sent } = repairHistory(messages, { provider: "anthropic" });
 * ```
 * @see docs/your-own-loop.md
 */
export function repairHistory<TMessage>(
  messages: readonly TMessage[],
  options: RepairHistoryOptions = {},
): RepairedHistory<TMessage> {
  const { provider } = options;
  const rules = rulesOf(provider);
  if (!Array.isArray(messages) || rules === undefined) {
    throw new ToolContractError(
      rules === undefined
        ? `repairHistory: \`provider\` must be one of ${HISTORY_PROVIDERS.join(", ")}, or left out.`
        : "repairHistory: the first argument must be an array of messages.",
    );
  }
  const given: readonly unknown[] = messages;
  const dialect = given.some(hasBlocks) ? ANTHROPIC : CHAT;
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
    due = sent.map((one, place) => {
      const answer = pairs.get(calls[place] ?? {});
      if (answer !== undefined) return dialect.readdress(answer, one, message);
      note(`call ${place + 1} has no answer: one says that its outcome is unknown`);
      return dialect.unknown(one, message);
    });
  }
  flush(undefined);
  return {
    messages: repaired as TMessage[],
    changes: changes.toSorted((one, other) => one.index - other.index),
  };
}

function hasBlocks(message: unknown): boolean {
  return (
    isRecord(message) &&
    jsonsOf(message["content"]).some(({ type }) => type === "tool_use" || type === "tool_result")
  );
}

/** Finds the answer of each call: by id among those before the next calls, then by order where ids are missing, then further on. */
function pairAnswers(
  given: readonly unknown[],
  dialect: Dialect,
  changes: HistoryChange[],
): ReadonlyMap<Json, Json> {
  const pairs = new Map<Json, Json>();
  const left = new Map<Json, number>();
  const lists = given.map((message) => (isRecord(message) ? dialect.callsOf(message) : []));
  const answers = given.map((message) => (isRecord(message) ? dialect.answersOf(message) : []));
  for (const [index, list] of answers.entries()) for (const one of list) left.set(one, index);
  const take = (call: Json, from: readonly Json[], isOwn: (answer: Json) => boolean): void => {
    if (pairs.has(call)) return;
    const found = from.find((answer) => left.has(answer) && isOwn(answer));
    if (found === undefined) return;
    pairs.set(call, found);
    left.delete(found);
  };
  for (const [index, calls] of lists.entries()) {
    if (calls.length === 0) continue;
    const next = lists.findIndex((list, at) => at > index && list.length > 0);
    const near = answers.slice(index + 1, next < 0 ? undefined : next).flat();
    for (const call of calls)
      take(call, near, (answer) => dialect.answeredId(answer) === dialect.read(call).id);
    const hasNoId = (call: Json): boolean => !isId(dialect.read(call).id);
    for (const call of calls.filter(hasNoId)) take(call, near, () => true);
  }
  for (const [index, calls] of lists.entries()) {
    const later = answers.slice(index + 1).flat();
    for (const call of calls)
      take(call, later, (answer) => dialect.answeredId(answer) === dialect.read(call).id);
  }
  for (const index of left.values()) {
    changes.push({ index, what: "an answer that belongs to no call is left out" });
  }
  return pairs;
}

function isId(id: unknown): id is string {
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
    const isFine = isId(id) && rules.id.test(id) && !taken.has(id);
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
  const replaced = dialect.takes(args, rules.onlyObjects) ? undefined : (objectOf(args) ?? {});
  if (replaced !== undefined) note(`the arguments of call ${place} are now an object`);
  const isChanged = sent !== before || !isNamed || replaced !== undefined;
  return { id: sent, name: named, args: replaced, isChanged };
}

/** The message that was given, if the repaired one has the same blocks. */
function sameAs(message: Json, given: unknown): Json {
  if (!isRecord(given)) return message;
  const [content, other] = [message["content"], given["content"]];
  const isSame =
    given["role"] === "user" &&
    message["role"] === "user" &&
    Array.isArray(content) &&
    Array.isArray(other) &&
    content.length === other.length &&
    content.every((block, index) => block === other[index]);
  return isSame ? given : message;
}

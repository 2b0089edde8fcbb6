import { isRecord } from "@toolcontract/explain/adapter";
import { type Dialect, type Json, OUTCOME_UNKNOWN } from "./dialect.ts";
import { repairWith } from "./repair-messages.ts";
import type { HistoryProvider } from "./rules.ts";

/** What a prompt is for. */
export interface PromptTarget {
  /** What the model calls its provider: Mistral takes only ids of nine letters and digits. */
  readonly provider?: string | undefined;
  /** Whether a server keeps the conversation, so that calls may be missing. */
  readonly isKept?: boolean;
}

/**
 * A prompt of the AI SDK's language models as every provider takes it; the same list if it needs no change. Calls that a provider ran are
 * left as they are, and so is a prompt that continues what a server keeps.
 */
export function repairPrompt<TMessage>(
  prompt: readonly TMessage[],
  { provider = "", isKept = false }: PromptTarget = {},
): readonly TMessage[] {
  return isKept ? prompt : repairWith(prompt, promptDialect(prompt), namedProvider(provider));
}

/** Whether a request continues what OpenAI keeps, so that its calls may be there and not in the prompt. */
export function continuesKept(providerOptions: unknown): boolean {
  const all = isRecord(providerOptions) ? Object.values(providerOptions) : [];
  return all
    .filter(isRecord)
    .some(({ previousResponseId, conversation }) => Boolean(previousResponseId ?? conversation));
}

function namedProvider(provider: string): HistoryProvider | undefined {
  return /^mistral\b/i.test(provider) ? "mistral" : undefined;
}

function isCall({ type, providerExecuted }: Json): boolean {
  return type === "tool-call" && providerExecuted !== true;
}

function isErrorResult({ output }: Json): boolean {
  return isRecord(output) && String(output["type"]).startsWith("error");
}

/** Visits the parts of all messages. Every request reads them all, so no list of them is made. */
function visitParts(prompt: readonly unknown[], visit: (part: Json) => void): void {
  for (const message of prompt) {
    const content = isRecord(message) ? message["content"] : undefined;
    if (!Array.isArray(content)) continue;
    for (const part of content as readonly unknown[]) if (isRecord(part)) visit(part);
  }
}

/** The parts that are to be kept: the list itself if that is all of them, as in most messages. */
function partsThat(content: unknown, isKept: (part: Json) => boolean): readonly Json[] {
  if (!Array.isArray(content)) return NONE;
  const fits = (part: unknown): part is Json => isRecord(part) && isKept(part);
  const parts: readonly unknown[] = content;
  return parts.every(fits) ? parts : parts.filter(fits);
}

const NONE: readonly Json[] = [];

/** The calls that have results, by their ids. */
interface CallEnds {
  readonly ran: ReadonlySet<unknown>;
  readonly failed: ReadonlySet<unknown>;
}

function endsIn(prompt: readonly unknown[]): CallEnds {
  const ran = new Set<unknown>();
  const failed = new Set<unknown>();
  visitParts(prompt, (part) => {
    if (part["type"] === "tool-result")
      (isErrorResult(part) ? failed : ran).add(part["toolCallId"]);
  });
  return { ran, failed };
}

/** The dialect of a prompt: results of calls that a provider ran are not answers of ours. */
function promptDialect(prompt: readonly unknown[]): Dialect {
  const foreign = new Set<unknown>();
  visitParts(prompt, (part) => {
    if (part["providerExecuted"] === true) foreign.add(part["toolCallId"]);
  });
  let ends: CallEnds | undefined;
  const hasRun = (callId: unknown): boolean => {
    // Only a call of free text is asked about, which most histories do not have.
    ends ??= endsIn(prompt);
    return ends.ran.has(callId) && !ends.failed.has(callId);
  };
  const isAnswer = ({ type, toolCallId }: Json): boolean =>
    type === "tool-result" && !foreign.has(toolCallId);
  const replaced = (message: Json, calls: readonly Json[]): Json => {
    const left = [...calls];
    const content = message["content"] as readonly unknown[];
    const shown = content.map((part) => (isRecord(part) && isCall(part) ? left.shift() : part));
    return { ...message, content: shown };
  };
  return {
    callsOf: ({ role, content }) => (role === "assistant" ? partsThat(content, isCall) : NONE),
    read: ({ toolCallId: id, toolName: name, input: args }) => ({ id, name, args }),
    // A tool of free text has run with a string, and its provider takes it again.
    takes: (args, _, { toolCallId }) =>
      isRecord(args) || (typeof args === "string" && hasRun(toolCallId)),
    write: (call, { id, name, args }) => {
      return { ...call, toolCallId: id, toolName: name, ...(args && { input: args }) };
    },
    withCalls: replaced,
    answersOf: ({ role, content }) => (role === "tool" ? partsThat(content, isAnswer) : NONE),
    answeredId: ({ toolCallId }) => toolCallId,
    readdress: (answer, { id, name }) =>
      answer["toolCallId"] === id && answer["toolName"] === name
        ? answer
        : { ...answer, toolCallId: id, toolName: name },
    unknown: ({ id: toolCallId, name: toolName }) => {
      const output = { type: "error-text", value: OUTCOME_UNKNOWN };
      return { type: "tool-result", toolCallId, toolName, output };
    },
    rest(message) {
      if (message["role"] !== "tool") return message;
      const { content } = message;
      if (!Array.isArray(content)) return message;
      const isOther = (part: unknown): boolean => !(isRecord(part) && isAnswer(part));
      const parts = content as readonly unknown[];
      return parts.some(isOther) ? { ...message, content: parts.filter(isOther) } : undefined;
    },
    join(answers, next) {
      if (answers.length === 0) return next === undefined ? [] : [next];
      if (next?.["role"] !== "tool" || !Array.isArray(next["content"])) {
        return [{ role: "tool", content: answers }, ...(next === undefined ? [] : [next])];
      }
      return [{ ...next, content: [...answers, ...(next["content"] as unknown[])] }];
    },
  };
}

import {
  type Admission,
  type CallContext,
  type Contract,
  countAttempts,
  EscalationError,
  type ResultMarker,
  type ToolDefinition,
} from "@toolcontract/core";
import {
  createRecentMap,
  hasFailed,
  markerFor,
  readableArguments,
} from "@toolcontract/core/adapter";
import type { ModelRequest, PromptMessage, PromptPart } from "./mastra.ts";
import { outputText, turnsFromPrompt } from "./turns-from-prompt.ts";

const MAX_KEPT = 1_000;

/** What judging needs besides the message. */
export interface Judging {
  readonly contract: Contract;
  readonly conversationId: string | undefined;
  readonly escalate: "continue" | "throw";
  /** The definition of a tool by its name; undefined if it is not inside the contract. */
  readonly definitionOf: (name: string) => ToolDefinition | undefined;
}

/** A call of a message, before Mastra reads it. */
interface WrittenCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly text: string;
}

/** Judges whole messages, and keeps the verdicts until Mastra asks for each call. */
export interface Verdicts {
  /**
   * The prompt as the model gets it: with the contract's answer to calls that Mastra answers itself.
   *
   * @throws EscalationError if a tool was blocked in the message before, and the host wants that to end the run.
   */
  answered(prompt: readonly PromptMessage[]): readonly PromptMessage[];
  /** Judges the calls of a message; returns each as Mastra is to read it. */
  judge(
    calls: readonly WrittenCall[],
    request: ModelRequest,
    finishReason?: string,
  ): Promise<readonly Pick<WrittenCall, "name" | "text">[]>;
  /** Whether an id belongs to another call already. */
  isTaken(callId: string): boolean;
  /** The verdict on a call; undefined if it was judged long ago, in another process, or not at all. */
  of(callId: string): Admission | undefined;
  /** Judges a call that is not in the book, such as one that a person approved in another process. */
  late(call: WrittenCall): Promise<Admission | undefined>;
  /** Whether a call with these arguments was refused: those who approve calls are told no id. */
  isRefused(name: string, input: unknown): boolean;
  /** Notes how a call that was admitted ended, which the next message is counted by. */
  ended(callId: string, marker: ResultMarker): void;
  /** Whether a call has ended: it may come again, resumed. */
  hasEnded(callId: string): boolean;
}

/** Creates the verdicts of one contract. */
export function createVerdicts(judging: Judging): Verdicts {
  const { contract, escalate, definitionOf } = judging;
  const { conversationId = "mastra" } = judging;
  const book = createRecentMap<string, Admission>(MAX_KEPT);
  const ends = createRecentMap<string, ResultMarker>(MAX_KEPT);
  /** The names that the model wrote, and the messages that the calls were in. */
  const names = createRecentMap<string, string>(MAX_KEPT);
  const messages = createRecentMap<string, string>(MAX_KEPT);
  /** The calls that were refused, by name and arguments. */
  const refused = createRecentMap<string, boolean>(MAX_KEPT);
  const knowsConversation = judging.conversationId !== undefined;
  // The prompt says which attempts belong to the run; nothing else can.
  const place = { conversationId, knowsConversation, knowsRun: false };

  function keep({ id, name }: WrittenCall, text: string, verdict: Admission): void {
    book.set(id, verdict);
    names.set(id, name);
    refused.set(keyOf(name, JSON.parse(text)), verdict.status !== "admitted");
  }

  function answeredPart(part: PromptPart): PromptPart {
    if (part.type !== "tool-result") return part;
    const { toolCallId = "", output } = part;
    const verdict = book.get(toolCallId);
    if (verdict === undefined || verdict.status === "admitted") {
      const marker = ends.get(toolCallId);
      // Mastra loses the mark: older versions at once, all of them in memory.
      return marker && hasFailed(marker) ? { ...part, output: asError(outputText(output)) } : part;
    }
    if (escalate === "throw" && verdict.status === "blocked" && !verdict.settled) {
      throw new EscalationError(verdict.escalation);
    }
    return { ...part, output: asError(verdict.result.content) };
  }

  return {
    answered: (prompt) =>
      prompt.map((message) =>
        message.role !== "tool" || typeof message.content === "string"
          ? message
          : { ...message, content: message.content.map(answeredPart) },
      ),
    async judge(calls, { tools = [], prompt, abortSignal }, finishReason) {
      const offered = tools.filter(({ type }) => type === "function").map(({ name }) => name);
      const declaredTools = new Set(offered);
      const definitions = offered.map((name) => definitionOf(name) ?? { name, inputSchema: {} });
      const { scope } = contract.settings;
      const turns = [
        ...turnsFromPrompt(prompt, {
          markerOf: (id) => markerFor(book.get(id), ends.get(id)),
          nameOf: (id) => names.get(id),
          turnOf: (id) => messages.get(id),
        }),
        { calls: calls.map(({ id, name, text }) => ({ id, name, arguments: text })), results: [] },
      ];
      const turnId = globalThis.crypto.randomUUID();
      return Promise.all(
        calls.map(async (call) => {
          const { id, name, text } = call;
          messages.set(id, turnId);
          // Those of memory, of other agents, or of this call alone are Mastra's own to judge.
          const isForeign = declaredTools.has(name) && definitionOf(name) === undefined;
          if (isForeign || declaredTools.size === 0) return call;
          const isLast = call === calls.at(-1);
          const context: CallContext = {
            ...place,
            tools: definitions,
            turnId,
            attempts: countAttempts(turns, name, scope, { declaredTools }),
            ...(abortSignal && { signal: abortSignal }),
            // Output is cut at its end, so only the last call can be.
            ...(isLast && finishReason !== undefined && { finishReason }),
          };
          const verdict = await contract.admit({ id, name, arguments: text }, context);
          const readable = readableArguments(text, verdict);
          keep(call, readable, verdict);
          return { name: findableName(name), text: readable };
        }),
      );
    },
    isTaken: (callId) => book.get(callId) !== undefined,
    of: (callId) => book.get(callId),
    async late(call) {
      const { id, name, text } = call;
      const tool = definitionOf(name);
      if (tool === undefined) return undefined;
      const verdict = await contract.admit({ id, name, arguments: text }, { ...place, tool });
      keep(call, text, verdict);
      return verdict;
    },
    isRefused: (name, input) => refused.get(keyOf(name, input)) === true,
    ended: (callId, marker) => ends.set(callId, marker),
    hasEnded: (callId) => ends.get(callId) !== undefined,
  };
}

function asError(value: string): NonNullable<PromptPart["output"]> {
  return { type: "error-text", value };
}

function keyOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** Mastra looks a name up in an object, and ends the run at what every object has. */
function findableName(name: string): string {
  return name in {} ? `unknown_${name}` : name;
}

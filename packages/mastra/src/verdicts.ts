import {
  type Admission,
  type Contract,
  EscalationError,
  type ToolCall,
  type ToolDefinition,
} from "@toolcontract/core";
import {
  createRecentMap,
  createVerdictBook,
  hasFailed,
  readableArguments,
  type VerdictBook,
} from "@toolcontract/core/adapter";
import type { PromptRequest, PromptMessage, PromptPart } from "./mastra.ts";
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
interface WrittenCall extends ToolCall {
  /** As the model wrote them. */
  readonly arguments: string;
}

/** Judges whole messages, and keeps the verdicts until Mastra asks for each call. */
export interface Verdicts extends Omit<VerdictBook, "judge"> {
  /**
   * The prompt as the model gets it: with the contract's answer to calls that Mastra answers itself.
   *
   * @throws EscalationError if a tool was blocked in the message before, and the host wants that to end the run.
   */
  answered(prompt: readonly PromptMessage[]): readonly PromptMessage[];
  /** Judges the calls of a message; returns each as Mastra is to read it. */
  judge(
    calls: readonly WrittenCall[],
    request: PromptRequest,
    finishReason?: string,
  ): Promise<readonly Pick<WrittenCall, "name" | "arguments">[]>;
  /** Judges a call that is not in the book, such as one that a person approved in another process. */
  late(call: WrittenCall): Promise<Admission | undefined>;
  /** Whether a call with these arguments was refused: those who approve calls are told no id. */
  isRefused(name: string, input: unknown): boolean;
}

/** Creates the verdicts of one contract. */
export function createVerdicts(judging: Judging): Verdicts {
  const { contract, conversationId = "mastra", escalate, definitionOf } = judging;
  const book = createVerdictBook(contract);
  /** The messages that the calls were in. */
  const messages = createRecentMap<string, string>(MAX_KEPT);
  /** The calls that were refused, by name and arguments. */
  const refused = createRecentMap<string, boolean>(MAX_KEPT);
  const knowsConversation = judging.conversationId !== undefined;
  // The prompt says which attempts belong to the run; nothing else can.
  const place = { conversationId, knowsConversation, knowsRun: false };

  function keep(name: string, text: string, verdict: Admission): void {
    refused.set(keyOfCall(name, JSON.parse(text)), verdict.status !== "admitted");
  }

  function answeredPart(part: PromptPart): PromptPart {
    if (part.type !== "tool-result") return part;
    const { toolCallId = "", output } = part;
    const verdict = book.of(toolCallId);
    if (verdict === undefined || verdict.status === "admitted") {
      const marker = book.markerOf(toolCallId);
      // Mastra loses the mark: older versions at once, all of them in memory.
      return marker && hasFailed(marker) ? { ...part, output: asError(outputText(output)) } : part;
    }
    if (escalate === "throw" && verdict.status === "blocked" && !verdict.settled) {
      throw new EscalationError(verdict.escalation);
    }
    return { ...part, output: asError(verdict.result.content) };
  }

  return {
    ...book,
    answered: (prompt) =>
      prompt.map((message) =>
        message.role !== "tool" || typeof message.content === "string"
          ? message
          : { ...message, content: message.content.map(answeredPart) },
      ),
    async judge(calls, { tools = [], prompt, abortSignal }, finishReason) {
      const offered = tools.filter(({ type }) => type === "function").map(({ name }) => name);
      // Those of memory, of other agents, or of this call alone are Mastra's own to judge.
      const isForeign = (name: string): boolean =>
        offered.includes(name) && definitionOf(name) === undefined;
      const own = calls.filter(({ name }) => offered.length > 0 && !isForeign(name));
      const turnId = globalThis.crypto.randomUUID();
      for (const { id } of calls) messages.set(id, turnId);
      const isLast = own.at(-1) === calls.at(-1);
      const verdicts = await book.judge(own, {
        ...place,
        tools: offered.map((name) => definitionOf(name) ?? { name, inputSchema: {} }),
        turns: turnsFromPrompt(prompt, { ...book, turnOf: (id) => messages.get(id) }),
        turnId,
        ...(abortSignal && { signal: abortSignal }),
        ...(isLast && finishReason !== undefined && { finishReason }),
      });
      return calls.map((call) => {
        const verdict = verdicts[own.indexOf(call)];
        if (verdict === undefined) return call;
        const text = readableArguments(call.arguments, verdict);
        keep(call.name, text, verdict);
        return { name: findableName(call.name), arguments: text };
      });
    },
    async late(call) {
      const tool = definitionOf(call.name);
      if (tool === undefined) return undefined;
      const [verdict] = await book.judge([call], { ...place, tool });
      if (verdict) keep(call.name, call.arguments, verdict);
      return verdict;
    },
    isRefused: (name, input) => refused.get(keyOfCall(name, input)) === true,
  };
}

function asError(value: string): NonNullable<PromptPart["output"]> {
  return { type: "error-text", value };
}

function keyOfCall(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** Mastra looks a name up in an object, and ends the run at what every object has. */
function findableName(name: string): string {
  return name in {} ? `unknown_${name}` : name;
}

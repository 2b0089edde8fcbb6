import {
  type Admission,
  type Contract,
  countAttempts,
  EscalationError,
  type ToolCall,
  type ToolDefinition,
} from "@toolcontract/core";
import {
  createRecentMap,
  createVerdictBook,
  hasFailed,
  isObserving,
  isRecord,
  jsonEqual,
  jsonOrText,
  isToolClosed,
  lastWords,
  nextOffer,
  readableArguments,
  refusedWith,
  type VerdictBook,
} from "@toolcontract/core/adapter";
import { withDeclined } from "./declined-calls.ts";
import { createMarks, isMarked, type Marks, withoutMark } from "./marks.ts";
import type { PromptRequest, PromptMessage, PromptPart } from "./mastra.ts";
import {
  callsInPrompt,
  type KnownCall,
  outputText,
  type ShownCall,
  turnsFromPrompt,
} from "./turns-from-prompt.ts";

const MAX_KEPT = 1_000;

const REFUSED_BEFORE = refusedWith({
  errorCode: "VAL-016",
  message: "The call was refused when it was made",
});

/** What judging needs besides the message. */
export interface Judging {
  readonly contract: Contract;
  readonly conversationId: string | undefined;
  /** The agent's name, for logs and events. */
  readonly agentName: string | undefined;
  readonly escalate: "continue" | "throw";
  /** The definition of a tool by its name; undefined if it is not inside the contract. */
  readonly definitionOf: (name: string) => ToolDefinition | undefined;
  /** Whether Mastra may ask a person about calls of this name. */
  readonly mayAsk: (name: string) => boolean;
}

/** A call of a message, before Mastra reads it. */
interface WrittenCall extends ToolCall {
  /** As the model wrote them. */
  readonly arguments: string;
}

/** Judges whole messages, and keeps the verdicts until Mastra asks for each call. */
export interface Verdicts extends Pick<VerdictBook, "run" | "refusedByHost"> {
  /** Whether the contract refuses nothing. */
  readonly isObserving: boolean;
  /** Reserves an id for a call; false if another call has it, perhaps one of another conversation. */
  claim(id: string): boolean;
  /**
   * The prompt as the model gets it: with the contract's answer to calls that Mastra answers itself.
   *
   * @throws EscalationError if a tool was blocked in the message before, and the host wants that to end the run.
   */
  answered(prompt: readonly PromptMessage[]): readonly PromptMessage[];
  /** What the model is offered: no blocked tool, and nothing at all once it calls only those; then with the words of an end. */
  offer(request: PromptRequest): { readonly request: PromptRequest; readonly words?: string };
  /** Judges the calls of a message; returns each as Mastra is to read it. */
  judge(
    calls: readonly WrittenCall[],
    request: PromptRequest,
    finishReason?: string,
  ): Promise<readonly Pick<WrittenCall, "name" | "arguments">[]>;
  /** The verdict on a call that is about to run; one that was made in another process is judged now. */
  before(call: ShownCall): Promise<Admission | undefined>;
  /** The verdict on a call; undefined if it is not known here. */
  of(call: KnownBy): Admission | undefined;
  /** Whether a call was admitted and has not ended. */
  isUnderWay(call: KnownBy): boolean;
  /** Whether these are the arguments of a refused call: those who decide about approvals are told no more of it. */
  readonly isRefused: Marks["isOpen"];
}

/** By what a call is known; without arguments where Mastra gives only what the schema made of them. */
type KnownBy = Pick<ShownCall, "id"> & Partial<Pick<ShownCall, "input">>;

/** Creates the verdicts of one contract. */
export function createVerdicts(judging: Judging): Verdicts {
  const { contract, conversationId = "mastra", escalate, definitionOf, mayAsk } = judging;
  const book = createVerdictBook(contract);
  const marks = createMarks();
  const claimed = createRecentMap<string, true>(MAX_KEPT);
  const kept = createRecentMap<string, JudgedCall>(MAX_KEPT);
  /** The calls of each message that were admitted and have not begun: they wait for a person, or were declined. */
  const waiting = createRecentMap<string, readonly ShownCall[]>(MAX_KEPT);
  const knowsConversation = judging.conversationId !== undefined;
  // The prompt says which attempts belong to the run; nothing else can.
  const { agentName } = judging;
  const named = agentName === undefined ? {} : { agentName };
  const place = { conversationId, knowsConversation, knowsRun: false, ...named };

  /**
   * What is kept of a call. Ids come again, also in other conversations, so the arguments must fit; the name may be another, since
   * Mastra finds a tool by its id too.
   */
  function keptOf({ id, input }: KnownBy): JudgedCall | undefined {
    const call = kept.get(id);
    return call && (input === undefined || areArguments(call.input, input)) ? call : undefined;
  }

  function verdictOf(call: KnownBy): Admission | undefined {
    return keptOf(call) && book.of(call.id);
  }

  function knownOf(call: KnownBy): KnownCall | undefined {
    const found = keptOf(call);
    return found && { ...found, marker: book.markerOf(call.id) };
  }

  function answeredPart(part: PromptPart, call: ShownCall | undefined): PromptPart {
    if (isMarked(part.input)) return { ...part, input: withoutMark(part.input) };
    if (part.type !== "tool-result" || call === undefined) return part;
    marks.close(call.input);
    const verdict = verdictOf(call);
    if (verdict === undefined || verdict.status === "admitted") {
      const marker = knownOf(call)?.marker;
      // Mastra loses the mark: older versions at once, all of them in memory.
      return marker && hasFailed(marker)
        ? { ...part, output: asError(outputText(part.output)) }
        : part;
    }
    if (escalate === "throw" && verdict.status === "blocked" && !verdict.settled) {
      throw new EscalationError(verdict.escalation);
    }
    return { ...part, output: asError(verdict.result.content) };
  }

  /** Judges a call that was made in another process, or by a model that is not guarded. */
  async function late({ id, name, input }: ShownCall): Promise<Admission | undefined> {
    const tool = definitionOf(name);
    if (tool === undefined) return undefined;
    const sent = withoutMark(input ?? {});
    const call = { id, name, arguments: JSON.stringify(sent) };
    const found = isMarked(input) ? await contract.checkAsync(tool, call.arguments) : undefined;
    const checked = found?.status === "valid" ? REFUSED_BEFORE : found;
    const turnId = globalThis.crypto.randomUUID();
    const message = { ...place, turnId, knowsMessage: true };
    const [verdict] = await book.judge([call], { ...message, tool, ...(checked && { checked }) });
    kept.set(id, { input: sent, written: name, turnId });
    claimed.set(id, true);
    return verdict;
  }

  return {
    isObserving: isObserving(contract),
    run(id, execute, runId) {
      const { turnId = "" } = kept.get(id) ?? {};
      const others = waiting.get(turnId)?.filter((call) => call.id !== id) ?? [];
      waiting.set(turnId, others);
      return book.run(id, execute, runId);
    },
    refusedByHost: (id, thrown) => book.refusedByHost(id, thrown),
    claim(id) {
      const isFree = claimed.get(id) === undefined;
      if (isFree) claimed.set(id, true);
      return isFree;
    },
    answered(prompt) {
      const calls = callsInPrompt(prompt);
      const whole = withDeclined(prompt, (call) => waiting.get(keptOf(call)?.turnId ?? "") ?? []);
      return whole.map((message) =>
        typeof message.content === "string"
          ? message
          : {
              ...message,
              content: message.content.map((part) =>
                answeredPart(part, calls.get(part.toolCallId ?? "")),
              ),
            },
      );
    },
    offer(request) {
      const { tools = [], prompt } = request;
      const turns = turnsFromPrompt(prompt, knownOf);
      const names = tools.map(({ name }) => name);
      const { scope } = contract.settings;
      const declaredTools = new Set(names);
      const offered = nextOffer(tools, {
        nameOf: ({ type, name }) => (type === "function" ? name : undefined),
        isBlocked: (name) => isToolClosed(countAttempts(turns, name, scope, { declaredTools })),
        turns,
      });
      if (!offered.isForWords) {
        const isWhole = offered.tools.length === tools.length;
        return { request: isWhole ? request : { ...request, tools: offered.tools } };
      }
      const asked = { ...request, tools: offered.tools, toolChoice: { type: "none" } };
      return { request: asked, words: lastWords(turns) };
    },
    async judge(calls, { tools = [], prompt, abortSignal }, finishReason) {
      const offered = tools.filter(({ type }) => type === "function").map(({ name }) => name);
      // Those of memory, of other agents, or of this call alone are Mastra's own to judge.
      const isForeign = (name: string): boolean =>
        offered.includes(name) && definitionOf(name) === undefined;
      const own = calls.filter(({ name }) => offered.length > 0 && !isForeign(name));
      const turnId = globalThis.crypto.randomUUID();
      const isLast = own.at(-1) === calls.at(-1);
      const verdicts = await book.judge(own, {
        ...place,
        tools: offered.map((name) => definitionOf(name) ?? { name, inputSchema: {} }),
        turns: turnsFromPrompt(prompt, knownOf),
        turnId,
        knowsMessage: true,
        ...(abortSignal && { signal: abortSignal }),
        ...(isLast && finishReason !== undefined && { finishReason }),
      });
      const shown = calls.map((call) => {
        const verdict = verdicts[own.indexOf(call)];
        const isObserved = verdict?.status === "admitted" && verdict.observed !== undefined;
        const text =
          verdict && !isObserved ? readableArguments(call.arguments, verdict) : call.arguments;
        const name = verdict && !isObserved ? findableName(call.name) : call.name;
        const given: unknown = jsonOrText(text);
        const input = withoutMark(given);
        kept.set(call.id, { input, written: call.name, turnId });
        if (verdict && verdict.status !== "admitted" && mayAsk(call.name)) {
          return { name, arguments: marks.put(text) };
        }
        // A mark that the model wrote itself is nothing that a tool reads.
        return { name, arguments: input === given ? text : JSON.stringify(input) };
      });
      const admitted = calls.filter((call) => verdicts[own.indexOf(call)]?.status === "admitted");
      waiting.set(
        turnId,
        admitted.map(({ id, name }) => ({ id, name, input: kept.get(id)?.input })),
      );
      return shown;
    },
    before: async (call) => verdictOf(call) ?? late(call),
    of: verdictOf,
    isUnderWay: (call) =>
      verdictOf(call)?.status === "admitted" && knownOf(call)?.marker === undefined,
    isRefused: marks.isOpen,
  };
}

/** What is kept of a call: its place in the conversation, and what Mastra has of it. */
interface JudgedCall extends Pick<KnownCall, "written" | "turnId"> {
  readonly input: unknown;
}

/** Arguments that Mastra reads itself, and takes out before a tool runs. */
const MASTRAS = ["resumeData", "suspendedToolCallId", "suspendedToolRunId", "_background"];

/** Whether what Mastra has are the arguments that it was given. */
function areArguments(given: unknown, shown: unknown): boolean {
  const sent = withoutMark(shown);
  return JSON.stringify(given) === JSON.stringify(sent) || jsonEqual(ofTool(given), ofTool(sent));
}

function ofTool(input: unknown): unknown {
  if (!isRecord(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => !MASTRAS.includes(key)));
}

function asError(value: string): NonNullable<PromptPart["output"]> {
  return { type: "error-text", value };
}

/** Mastra looks a name up in an object, and ends the run at what every object has. */
function findableName(name: string): string {
  return name in {} ? `unknown_${name}` : name;
}

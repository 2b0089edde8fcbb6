import type { AgentInputItem } from "@openai/agents";
import { type ModelTurn, parseRejection, type TurnCall, type TurnResult } from "@toolcontract/core";
import { isRecord, toTurnResult } from "@toolcontract/core/adapter";
import { fullName } from "./message-calls.ts";
import type { CallItem } from "./sdk.ts";

type ResultItem = Extract<AgentInputItem, { readonly type: "function_call_result" }>;

/**
 * What this process knows of a call: the name that the model wrote, and the marker of its answer. Of all others the text is read,
 * because items have no place for more.
 */
export type LookUp = (call: CallItem) => {
  readonly name?: string | undefined;
  readonly marker?: TurnResult["marker"] | undefined;
};

/** Whose turn it is in a history, and the turns of that agent. */
interface AgentTurns {
  readonly agentName: string;
  /** Oldest first, for countAttempts. */
  readonly turns: readonly ModelTurn[];
}

/**
 * Reads the turns of the agent that makes a request from its items.
 *
 * @param first - The name of the agent that a history begins with.
 */
export function turnsFromItems(
  items: readonly AgentInputItem[],
  lookUp: LookUp,
  first: string,
): AgentTurns {
  const agents = agentsOf(items, lookUp, first);
  const agentName = agents.at(-1) ?? first;
  const turns: { calls: TurnCall[]; results: TurnResult[]; afterUserMessage: boolean }[] = [];
  const markers = new Map<string, TurnResult["marker"]>();
  let afterUserMessage = false;
  let isOpen = false;
  for (const [index, item] of items.entries()) {
    if (agents[index] !== agentName && !isUserMessage(item)) continue;
    if (item.type === "function_call") {
      if (!isOpen) turns.push({ calls: [], results: [], afterUserMessage });
      isOpen = true;
      afterUserMessage = false;
      const { name = fullName(item), marker } = lookUp(item);
      markers.set(item.callId, marker);
      turns.at(-1)?.calls.push({ id: item.callId, name, arguments: item.arguments });
    } else if (item.type === "function_call_result") {
      isOpen = false;
      const marker = markers.get(item.callId);
      turns.at(-1)?.results.push(toTurnResult(item.callId, textOfOutput(item.output), marker));
    } else if (isUserMessage(item)) afterUserMessage = true;
  }
  // The message to come may be the first after a user's.
  if (afterUserMessage) turns.push({ calls: [], results: [], afterUserMessage });
  return { agentName, turns };
}

/** The agent of each item, and of the one to come. Items do not name their agent, but handoffs name the next one. */
function agentsOf(
  items: readonly AgentInputItem[],
  lookUp: LookUp,
  first: string,
): readonly string[] {
  const calls = new Map<string, CallItem>();
  let agent = first;
  const agents = items.map((item) => {
    const own = agent;
    if (item.type === "function_call") calls.set(item.callId, item);
    if (item.type === "function_call_result")
      agent = nextAgent(item, calls.get(item.callId), lookUp) ?? agent;
    return own;
  });
  return [...agents, agent];
}

const HANDED_OVER = /^\{"assistant":"(?:[^"\\]|\\.)*"\}$/;

/** The agent that the SDK says a call has handed over to; undefined for the result of a tool, which may read the same. */
function nextAgent(
  { output }: ResultItem,
  call: CallItem | undefined,
  lookUp: LookUp,
): string | undefined {
  const text = textOfOutput(output);
  if (call === undefined || !HANDED_OVER.test(text) || lookUp(call).name !== undefined)
    return undefined;
  return (JSON.parse(text) as { readonly assistant: string }).assistant;
}

/** The calls since the user's last message that were answered, and not by the contract. */
export function answeredCalls(
  items: readonly AgentInputItem[],
  lookUp: LookUp,
): readonly CallItem[] {
  const run = items.slice(items.findLastIndex(isUserMessage) + 1);
  const results = new Map(
    run.flatMap((item) =>
      item.type === "function_call_result" ? [[item.callId, item] as const] : [],
    ),
  );
  return run.filter((item) => {
    if (item.type !== "function_call") return false;
    const result = results.get(item.callId);
    return result !== undefined && !isRefusal(result, lookUp(item));
  }) as readonly CallItem[];
}

function isRefusal({ output }: ResultItem, { marker }: ReturnType<LookUp>): boolean {
  if (marker) return marker.status !== "executed";
  return parseRejection(textOfOutput(output)) !== undefined;
}

/** Whether the items have a message of the user, so that a run begins with them. */
export function hasUserMessage(input: string | readonly AgentInputItem[]): boolean {
  return typeof input === "string" || input.some(isUserMessage);
}

function isUserMessage(item: AgentInputItem): boolean {
  return "role" in item && item.role === "user";
}

/** The text of a result, which is a string, a part with a text, or a list of parts. */
export function textOfOutput(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map(textOfOutput).join("");
  return isRecord(output) && typeof output["text"] === "string" ? output["text"] : "";
}

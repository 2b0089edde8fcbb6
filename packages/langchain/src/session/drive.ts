import {
  AIMessage,
  type BaseMessage,
  type BaseMessageLike,
  coerceMessageLikeToMessage,
} from "@langchain/core/messages";
import { isRecord, readMember } from "@toolcontract/core/adapter";
import type { LoopEnd } from "@toolcontract/session";
import { isEscalationMessage } from "../escalation.ts";
import { textOfMessage } from "../messages.ts";

type State = Readonly<Record<string, unknown>>;

/** A graph as the session runs it. */
export interface Streamable {
  readonly stream: (input: unknown, config: object) => Promise<AsyncIterable<unknown>>;
}

/** How far a graph got. */
export interface GraphProgress {
  /** What the graph was given. */
  readonly input: unknown;
  /** The last state; undefined if the graph did not begin. */
  state: State | undefined;
  interrupts: readonly unknown[] | undefined;
  /** What it threw, without the wrapping of LangChain. */
  thrown: unknown;
  /** Whether what it threw moves a graph around this one. */
  isBubble: boolean;
}

/** Creates the progress of a graph that has not begun. */
export function createGraphProgress(input: unknown): GraphProgress {
  return { input, state: undefined, interrupts: undefined, thrown: undefined, isBubble: false };
}

const INTERRUPT = "__interrupt__";

/** Runs a graph to its end and keeps each state, so that the last one is there also after an error. */
export async function drive(
  graph: Streamable,
  config: object,
  progress: GraphProgress,
): Promise<void> {
  try {
    const states = await graph.stream(progress.input, { ...config, streamMode: "values" });
    for await (const state of states) {
      if (!isRecord(state)) continue;
      const { [INTERRUPT]: interrupts } = state;
      if (!Array.isArray(interrupts)) progress.state = state;
      else progress.interrupts = [...(progress.interrupts ?? []), ...(interrupts as unknown[])];
    }
  } catch (thrown) {
    progress.isBubble = readMember(thrown, "is_bubble_up") === true;
    progress.thrown = unwrapped(thrown);
  }
}

/** What a hook threw, without the errors that LangChain wraps it in, once for each middleware. */
function unwrapped(thrown: unknown): unknown {
  const isWrapper = readMember(readMember(thrown, "constructor"), "name") === "MiddlewareError";
  const cause = isWrapper ? readMember(thrown, "cause") : undefined;
  return cause === undefined ? thrown : unwrapped(cause);
}

/** What `invoke` would have returned. */
export function finalState({ state, interrupts }: GraphProgress): unknown {
  return interrupts ? { ...state, [INTERRUPT]: interrupts } : state;
}

/** The messages of the state; those that the graph was given, if it did not get as far as a state. */
export function messagesOfRun({ state, input }: GraphProgress): readonly BaseMessage[] {
  const messages = (state ?? (Object(input) as State))["messages"];
  if (!Array.isArray(messages)) return [];
  return state ? (messages as readonly BaseMessage[]) : coerceMessages(messages);
}

/** What a graph takes for messages. */
function coerceMessages(given: readonly BaseMessageLike[]): readonly BaseMessage[] {
  try {
    return given.map(coerceMessageLikeToMessage);
  } catch {
    return [];
  }
}

/** How the graph ended, as the session judges it. */
export function loopEndOf(progress: GraphProgress): LoopEnd {
  const { thrown, interrupts } = progress;
  const last = messagesOfRun(progress).at(-1);
  const isEscalated = AIMessage.isInstance(last) && isEscalationMessage(last);
  return {
    ...(thrown !== undefined && { thrown }),
    ...(interrupts && { paused: "the graph was interrupted and waits to be resumed" }),
    ...(isEscalated && { endedBy: textOfMessage(last) }),
  };
}

import { type MaybePromise, createRecentMap } from "@toolcontract/explain/adapter";
import { createKeyedQueue } from "../attempts/index.ts";
import { isAnyObject } from "../kit/index.ts";
import type { ToolCall } from "../shared/index.ts";
import { type CallContext, findTool } from "./context.ts";
import { isControlFlow } from "./control-flow.ts";
import type { Executed, Refused, ValidArguments } from "./decision.ts";
import { elementOf } from "./element.ts";
import type { CallOptions } from "./options.ts";
import { isStream } from "./result.ts";

/** What came of a call that ran. */
export type CallEnd = AnsweredCall | ThrownCall | UnkeptCall;

/** The call was answered, also by a refusal of what its tool did. */
interface AnsweredCall {
  readonly kind: "answered";
  readonly handled: Executed | Refused;
  readonly checked: ValidArguments;
}

/** Its tool threw. */
interface ThrownCall {
  readonly kind: "threw";
  readonly error: unknown;
  readonly attempt: number;
  readonly checked: ValidArguments;
}

/** It ran, and its result is no longer kept, or it was broken off, so that nobody knows what it did. */
interface UnkeptCall {
  readonly kind: "unkept" | "broken-off";
  readonly attempt: number;
}

type KeptCall = AnsweredCall | ThrownCall;

/**
 * What came of the calls that must not run again, by the element of a message that each of them is: a restarted node, a resumed run or a
 * repeated turn brings the same call again.
 *
 * @remarks It is kept in this process, with the run that the call belongs to, and is nobody else's.
 */
export interface Journal {
  /**
   * Names the element that a call is; undefined if it may run again, or the host does not say of which message or run it is.
   *
   * @param message - The message, as the host or the contract names it.
   */
  elementOf(call: ToolCall, context: CallContext, message: string | undefined): string | undefined;
  /** What came of an element, once it is no longer under way; undefined if it has not run. */
  find(element: string): MaybePromise<CallEnd | undefined>;
  /** Runs an element, one after the other if it comes twice; `run` gets what came of it meanwhile. */
  alone<T>(element: string, run: (end: CallEnd | undefined) => Promise<T>): MaybePromise<T>;
  keep(element: string, end: CallEnd): void;
  /** Keeps what a tool threw: not what a framework steers its run by, since that call goes on later. */
  keepThrown(element: string, thrown: Omit<ThrownCall, "kind">, run: BrokenRun): void;
  /** Forgets an element that has not run after all. */
  forget(element: string): void;
}

/** The signal of a run, and whether a run that is broken off must not be repeated. */
interface BrokenRun {
  readonly signal: AbortSignal | undefined;
  readonly isFinal: boolean;
}

const MAX_ELEMENTS = 10_000;
const MAX_ANSWERS = 1_000;
const MAX_TEXT = 65_536;

/** Creates the journal of a contract; undefined if its stage has no tools that must not run again. */
export function createJournal({ guardrails: stage }: CallOptions): Journal | undefined {
  if (stage?.unrepeatable === undefined) return undefined;
  const ran = createRecentMap<string, UnkeptCall>(MAX_ELEMENTS);
  const answers = createRecentMap<string, KeptCall>(MAX_ANSWERS);
  const queue = createKeyedQueue();

  function known(element: string): CallEnd | undefined {
    const end = ran.get(element);
    return end && (answers.get(element) ?? end);
  }

  function keep(element: string, end: CallEnd): void {
    answers.take(element);
    if (!isKept(end)) return ran.set(element, end);
    const { attempt } = end.kind === "threw" ? end : end.handled;
    ran.set(element, { kind: "unkept", attempt });
    if (isKeepable(end)) answers.set(element, end);
  }

  return {
    elementOf(call, context, message) {
      const { conversationId, knowsConversation, runId, knowsRun, together } = context;
      // A host that guesses turns knows no messages, such as a server that gets one request for each call.
      if (message === undefined || together !== undefined || knowsRun === false) return undefined;
      if (knowsConversation === false && runId === undefined) return undefined;
      // Calls without an id are told apart by their position alone.
      if (call.id === "" && context.position === undefined) return undefined;
      const tool = findTool(call.name, context);
      if (tool === undefined || !stage.unrepeatable?.(tool.name, call)) return undefined;
      const { user, tenant } = context.context ?? {};
      const run = [conversationId, runId, tenant, user, message];
      return JSON.stringify([...run, elementOf(call, context.position)]);
    },
    find: (element) => queue(element, () => known(element)),
    alone: (element, run) => queue(element, async () => run(known(element))),
    keep,
    keepThrown(element, thrown, { signal, isFinal }) {
      if (isControlFlow(thrown.error)) return;
      if (signal?.aborted !== true) return keep(element, { kind: "threw", ...thrown });
      if (isFinal) keep(element, { kind: "broken-off", attempt: thrown.attempt });
    },
    forget(element) {
      ran.take(element);
      answers.take(element);
    },
  };
}

function isKept(end: CallEnd): end is KeptCall {
  return end.kind === "answered" || end.kind === "threw";
}

/** Whether a result can be given again: a long one costs too much memory, and a stream can be read once. */
function isKeepable(end: KeptCall): boolean {
  if (end.kind === "threw" || end.handled.status !== "executed") return true;
  const { output, result } = end.handled;
  const text = typeof output === "string" ? output : result.content;
  return text.length <= MAX_TEXT && !isReadOnce(output);
}

function isReadOnce(output: unknown): boolean {
  return isStream(output) || (isAnyObject(output) && "next" in output);
}

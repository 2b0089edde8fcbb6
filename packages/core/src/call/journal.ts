import { type MaybePromise, chain, createRecentMap } from "@toolcontract/explain/adapter";
import { type KeyedQueue, createKeyedQueue } from "../attempts/index.ts";
import { isAnyObject } from "../kit/index.ts";
import type {
  CallElsewhere,
  CallsElsewhere,
  ExecutionStage,
  ReturnedElsewhere,
  ToolCall,
} from "../shared/index.ts";
import { type CallContext, findTool } from "./context.ts";
import { isControlFlow } from "./control-flow.ts";
import type { Executed, Refused, ValidArguments } from "./decision.ts";
import { elementOf, sameElementOf } from "./element.ts";
import { createKeptAnswers } from "./kept-answers.ts";
import type { CallOptions } from "./options.ts";
import { isStream } from "./result.ts";

/** What came of a call that ran. */
export type CallEnd = OwnEnd | ReturnedCall;

/** What came of a call that ran in this process. */
type OwnEnd = AnsweredCall | ThrownCall | UnkeptCall;

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

/** It ran in another process, and this is what its tool returned. */
interface ReturnedCall {
  readonly kind: "returned";
  readonly output: unknown;
  readonly attempt: number;
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
 * @remarks It is kept in this process, with the message that the call belongs to, and is nobody else's. Other processes know that it ran if
 * the stage can tell them, and what its tool returned if the stage keeps that.
 */
export interface Journal {
  /**
   * Names the element that a call is; undefined if it may run again, or the host does not say of which message or run it is.
   *
   * @param message - The message, as the host or the contract names it.
   */
  elementOf(call: ToolCall, context: CallContext, message: string | undefined): string | undefined;
  /** What came of an element, once it is no longer under way; undefined if it has not run. */
  find(
    element: string,
    of: { readonly name: string; readonly call: ToolCall },
  ): MaybePromise<CallEnd | undefined>;
  /** Runs an element, one after the other if it comes twice; `run` gets what came of it meanwhile. */
  alone<T>(
    element: string,
    of: RunningElement,
    run: (end: CallEnd | undefined) => Promise<T>,
  ): MaybePromise<T>;
  keep(element: string, end: OwnEnd): void;
  /** Keeps what a tool threw: not what a framework steers its run by, since that call goes on later. */
  keepThrown(element: string, thrown: Omit<ThrownCall, "kind">, run: BrokenRun): void;
  /** Forgets an element that has not run after all. */
  forget(element: string): void;
}

/** A call that is about to run. */
interface RunningElement {
  readonly name: string;
  readonly call: ToolCall;
  /** What other processes name it by, if not by its element. */
  readonly elsewhere: string | undefined;
}

/** The signal of a run, and whether a run that is broken off must not be repeated. */
interface BrokenRun {
  readonly signal: AbortSignal | undefined;
  readonly isFinal: boolean;
}

const MAX_ELEMENTS = 10_000;
const MAX_TEXT = 65_536;

/** Creates the journal of a contract; undefined if all its calls may run again. */
export function createJournal(options: CallOptions): Journal | undefined {
  const { guardrails: stage, repeatedCalls, mode } = options;
  // What a contract only observes runs as it would without one.
  if (mode === "observe") return undefined;
  if (stage?.unrepeatable === undefined && repeatedCalls !== "once") return undefined;
  const { queue, known, keep, forget } = endsFor(stage);

  /** Names a call among those of its message; undefined if it may run again. */
  function elementIn(call: ToolCall, tool: string, position?: number): string | undefined {
    const must = stage?.unrepeatable?.(tool, call);
    const runsOnce =
      repeatedCalls === undefined ? must?.runsOnce === true : repeatedCalls === "once";
    const same = runsOnce ? sameElementOf(call) : undefined;
    if (same !== undefined || (must === undefined && !runsOnce)) return same;
    // Calls without an id are told apart by their position alone.
    return call.id === "" && position === undefined ? undefined : elementOf(call, position);
  }

  const elsewhereOf = (tool: string, call: ToolCall): CallsElsewhere | undefined =>
    stage?.unrepeatable?.(tool, call)?.elsewhere;

  return {
    elementOf(call, context, message) {
      const { conversationId, runId, agent, idempotencyKey: key, knowsMessage } = context;
      const isKeyed = key !== undefined && key !== "";
      if (!isKeyed && (message === undefined || !isMessageKnown(context))) return undefined;
      const tool = findTool(call.name, context);
      const named = isKeyed ? { ...call, id: key } : call;
      const element = tool && elementIn(named, tool.name, context.position);
      if (element === undefined) return undefined;
      const { user, tenant } = context.context ?? {};
      const owner = JSON.stringify([isKeyed ? undefined : conversationId, tenant, user]);
      // A message that is told apart from all others may go on in another run.
      const run = knowsMessage === true ? undefined : runId;
      const place = isKeyed ? [agent, key, element] : [run, agent, message, element];
      return `${owner}\n${JSON.stringify(place)}`;
    },
    find: (element, { name, call }) =>
      queue(element, () => {
        const end = known(element);
        const elsewhere = end ? undefined : elsewhereOf(name, call);
        if (elsewhere === undefined) return end;
        return chain(elsewhere.find(element), endElsewhere);
      }),
    alone: (element, { name, call, elsewhere: named }, run) =>
      queue(element, async () => {
        const end = known(element);
        const elsewhere = end ? undefined : elsewhereOf(name, call);
        if (elsewhere === undefined) return run(end);
        const there =
          named === undefined ? element : `${conversationOf(element)}\n${JSON.stringify([named])}`;
        const before = endElsewhere(await elsewhere.begin(there));
        if (before) return run(before);
        try {
          return await run(undefined);
        } finally {
          const after = known(element);
          if (after === undefined) await elsewhere.forget(there);
          // One that did not succeed stays begun: nobody knows what it did.
          else if (hasSucceeded(after)) await elsewhere.end(there, returnedBy(after));
        }
      }),
    keep,
    keepThrown(element, thrown, { signal, isFinal }) {
      if (isControlFlow(thrown.error)) return;
      if (signal?.aborted !== true) return keep(element, { kind: "threw", ...thrown });
      if (isFinal) keep(element, { kind: "broken-off", attempt: thrown.attempt });
    },
    forget,
  };
}

/** What is known of the elements that have run. */
interface Ends extends Pick<Journal, "keep" | "forget"> {
  readonly queue: KeyedQueue;
  readonly known: (element: string) => OwnEnd | undefined;
}

const stages = new WeakMap<ExecutionStage, Ends>();

/** A host may make a contract for each request: what its calls came to belongs to the stage that they share. */
function endsFor(stage: ExecutionStage | undefined): Ends {
  const ends = (stage && stages.get(stage)) ?? createEnds();
  if (stage) stages.set(stage, ends);
  return ends;
}

function createEnds(): Ends {
  const ran = createRecentMap<string, UnkeptCall>(MAX_ELEMENTS);
  const answers = createKeptAnswers<KeptCall>(conversationOf);
  return {
    queue: createKeyedQueue(),
    known(element) {
      const end = ran.get(element);
      return end && (answers.get(element) ?? end);
    },
    keep(element, end) {
      answers.take(element);
      if (!isKept(end)) return ran.set(element, end);
      const { attempt } = end.kind === "threw" ? end : end.handled;
      ran.set(element, { kind: "unkept", attempt });
      const { text, isReadOnce } = textOf(end);
      // A long one costs too much memory, and a stream can be read once.
      if (text.length <= MAX_TEXT && !isReadOnce) answers.set(element, end, text.length);
    },
    forget(element) {
      ran.take(element);
      answers.take(element);
    },
  };
}

/** What another process knows of a call: one that has begun there and not ended was broken off, or is under way. */
function endElsewhere(known: CallElsewhere | undefined): UnkeptCall | ReturnedCall | undefined {
  if (known === undefined) return undefined;
  const { status, returned } = known;
  if (returned) return { kind: "returned", output: returned.output, attempt: 1 };
  return { kind: status === "ended" ? "unkept" : "broken-off", attempt: 1 };
}

function hasSucceeded(end: OwnEnd): boolean {
  if (end.kind !== "answered") return end.kind === "unkept";
  return end.handled.status === "executed" && !end.handled.result.isError;
}

/** What a call that has succeeded returned; undefined if that is not kept, or can be read only once. */
function returnedBy(end: OwnEnd): ReturnedElsewhere | undefined {
  if (end.kind !== "answered" || end.handled.status !== "executed") return undefined;
  const { output, result } = end.handled;
  return textOf(end).isReadOnce ? undefined : { output, text: result.content };
}

/** Whether the message of a call is told apart from those of other users. */
function isMessageKnown(context: CallContext): boolean {
  const { together, knowsRun, knowsMessage, knowsConversation, runId } = context;
  // A host that guesses turns knows no messages, such as a server that gets one request for each call.
  if (together !== undefined) return false;
  if (knowsMessage === true) return true;
  return knowsRun !== false && (knowsConversation !== false || runId !== undefined);
}

function isKept(end: OwnEnd): end is KeptCall {
  return end.kind === "answered" || end.kind === "threw";
}

/** What the answer to a call says, and whether it can be said only once. */
function textOf(end: KeptCall): { readonly text: string; readonly isReadOnce: boolean } {
  if (end.kind === "threw") return { text: "", isReadOnce: false };
  const { result } = end.handled;
  if (end.handled.status !== "executed") return { text: result.content, isReadOnce: false };
  const { output } = end.handled;
  const isReadOnce = isStream(output) || (isAnyObject(output) && "next" in output);
  return { text: typeof output === "string" ? output : result.content, isReadOnce };
}

/** The conversation of an element, as `elementOf` names it. */
function conversationOf(element: string): string {
  return element.slice(0, element.indexOf("\n"));
}

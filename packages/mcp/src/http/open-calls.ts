import { SlotSet } from "@toolcontract/core/adapter";
import type { Gate, LimitedCall, Link } from "../gate/index.ts";
import { type LostCall, lostAnswer, type Message } from "../wire/index.ts";
import type { Contain } from "./contain.ts";

/**
 * A tool call that the server has and that has no answer yet. It knows the stream on which its answer is due, which may be
 * another one than that of its own request: servers end a stream early and let the client resume it.
 */
export interface OpenCall {
  readonly id: unknown;
  /** Whether its session goes on without its request. */
  readonly hasSession: boolean;
  /** Whether the client has another answer, or will get it: nothing more of the server's is relayed. */
  readonly isOver: () => boolean;
  /** Tells the gate that the call ends without its answer; returns what the client gets, if it is the contract's. */
  readonly lose: (
    lost: LostCall,
  ) => Message | null | undefined | Promise<Message | null | undefined>;
  /** Notes that a response without the answer is relayed, such as a refusal of the server. */
  readonly relayed: (lost: LostCall) => void;
  /** Notes an event of its stream, whose id is where the client would resume it. */
  readonly saw: (event: string) => void;
  /** Whether the answer may come on a stream that the client resumes. */
  readonly isResumable: () => boolean;
  /** Notes that its answer is due on this stream from now on. */
  readonly moveTo: (stream: CallStream) => void;
  /** Notes that a stream has ended without the answer: the call waits for a while until the client resumes it. */
  readonly wait: (stream: CallStream) => void;
  /** Ends its wait: it will not be resumed. */
  readonly giveUp: () => void;
  /** Notes that a stream has ended; the call was answered there, or waits. */
  readonly ended: (stream: CallStream) => void;
}

/** Answers a call on a stream that is open, and ends it. */
export type CallStream = (answer: Message) => void;

/** A tool call whose request goes to the server. */
export interface SentCall {
  readonly link: Link;
  readonly id: unknown;
  readonly hasSession: boolean;
  readonly limited: LimitedCall | undefined;
  readonly contain: Contain;
}

/** The calls of all clients that have no answer yet. */
export interface OpenCalls {
  readonly begin: (call: SentCall) => OpenCall;
  /** The call whose stream a client resumes from this event. */
  readonly resumed: (link: Link, lastEventId: string) => OpenCall | undefined;
  /** Ends the calls of a link that wait to be resumed: the server has forgotten the session. */
  readonly forgotten: (link: Link) => void;
  /** Ends all calls, because the proxy does; false if there are none. */
  readonly stop: () => Promise<boolean>;
}

/** How long a call waits to be resumed, beside the time that its server asks for. */
const RESUME_MS = 5_000;
const MAX_RETRY_MS = 60_000;

const EVENT_ID = /^id: ?(\S[^\r\n]*)/gm;
const RETRY = /^retry: ?(\d{1,9})\s*$/m;

const STOPPED: LostCall = { kind: "unanswered", how: "stopped" };
const NOT_RESUMED: LostCall = { kind: "unanswered", how: "stream" };

/** What the register knows of a call. */
interface Entry {
  readonly link: Link;
  readonly call: OpenCall;
  readonly isAt: (lastEventId: string) => boolean;
  readonly stop: () => undefined | Promise<void>;
  readonly remove: () => void;
}

/** What the calls of one register share. */
interface Register {
  readonly gate: Gate;
  readonly resumeMs: number;
  readonly open: SlotSet<Entry>;
  /** Those of them that have no stream. */
  readonly waiting: SlotSet<Entry>;
}

/** Creates the register; `resumeMs` is how long a call waits for its client. */
export function createOpenCalls(gate: Gate, resumeMs: number = RESUME_MS): OpenCalls {
  const register: Register = { gate, resumeMs, open: new SlotSet(), waiting: new SlotSet() };
  const { open, waiting } = register;
  return {
    begin(sent) {
      for (const { call, link, remove } of waiting.values()) {
        // The client uses the id anew, so the call before is over.
        if (link === sent.link && call.id === sent.id) remove();
      }
      const entry = createEntry(sent, register);
      return entry.call;
    },
    resumed(link, lastEventId) {
      for (const entry of open.values()) {
        if (entry.link === link && entry.isAt(lastEventId)) return entry.call;
      }
      return undefined;
    },
    forgotten(link) {
      for (const entry of waiting.values()) if (entry.link === link) entry.call.giveUp();
    },
    async stop() {
      const all = [...open.values()];
      await Promise.all(all.map(async (entry) => entry.stop()));
      return all.length > 0;
    },
  };
}

function createEntry(
  { link, id, hasSession, limited, contain }: SentCall,
  { gate, resumeMs, open, waiting }: Register,
): Entry {
  let stream: CallStream | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastEventId: string | undefined;
  let retryMs = 0;
  /** The answer that stands for the server's, until there is a stream for it. */
  let late: Message | undefined;
  let isStopped = false;
  let leaveWaiting: (() => void) | undefined;

  function stopWaiting(): void {
    clearTimeout(timer);
    leaveWaiting?.();
  }
  function remove(): void {
    stopWaiting();
    leave();
  }
  function answer(message: Message): void {
    if (stream === undefined) late = message;
    else {
      stream(message);
      remove();
    }
  }
  const lose: OpenCall["lose"] = (lost) => gate.lost({ id, lost }, link);

  function giveUp(): void {
    remove();
    contain(async () => lose(NOT_RESUMED));
  }
  function answerStopped(other: Message | null | undefined): void {
    if (other !== null) stream?.(other ?? lostAnswer(id, STOPPED));
  }
  function startWaiting(): void {
    stream = undefined;
    leaveWaiting = waiting.add(entry);
    timer = setTimeout(giveUp, resumeMs + Math.min(retryMs, MAX_RETRY_MS));
    // A client that does not come back must not keep the process.
    timer.unref();
  }
  const givenUp = limited?.givenUp;
  if (givenUp !== undefined) contain(async () => answer(await givenUp));

  const call: OpenCall = {
    id,
    hasSession,
    isOver: () => isStopped || (limited?.isOver() ?? false),
    lose,
    relayed(lost) {
      contain(() => gate.lost({ id, lost, isRelayed: true }, link));
    },
    saw(event) {
      for (const [, eventId] of event.matchAll(EVENT_ID)) lastEventId = eventId;
      retryMs = Number(RETRY.exec(event)?.[1] ?? retryMs);
    },
    isResumable: () => hasSession && lastEventId !== undefined,
    moveTo(next) {
      stopWaiting();
      stream = next;
      if (late !== undefined) answer(late);
    },
    wait(from) {
      if (from !== stream) return;
      if (gate.awaits(link)) startWaiting();
      else remove();
    },
    giveUp,
    ended(from) {
      if (from !== stream) return;
      limited?.end();
      remove();
    },
  };
  const entry: Entry = {
    link,
    call,
    isAt: (resumedFrom) => resumedFrom === lastEventId,
    stop() {
      isStopped = true;
      const other = lose(STOPPED);
      if (other instanceof Promise) return other.then(answerStopped);
      answerStopped(other);
      return undefined;
    },
    remove,
  };
  const leave = open.add(entry);
  return entry;
}

import { SlotSet } from "@toolcontract/core/adapter";
import { isRecord, type Message } from "../wire/index.ts";

/** The time limit of one call. */
interface ClockOptions {
  /** The token of the call's progress. */
  readonly token?: unknown;
  /** How long the server may be silent about it. */
  readonly milliseconds: number;
  /** Called once when that is over. */
  readonly onTime: () => void;
}

/** The clock of one call. */
export interface CallClock {
  /** Starts it anew: the call has got on. */
  readonly progressed: () => void;
  readonly stop: () => void;
}

/**
 * The clocks of a connection's calls: time belongs to the tool. They stand while the server asks the client something that a
 * person or a model answers, because a question does not say which call it is about; progress of a call starts its clock anew.
 */
export interface CallClocks {
  readonly start: (options: ClockOptions) => CallClock;
  /** Call with each request and notification of the server. */
  readonly fromServer: (message: Message) => void;
  /** Call with each response of the client. */
  readonly fromClient: (message: Message) => void;
}

/** Progress extends a call to at most this many times its limit. */
export const MOST_EXTENSIONS = 10;

/** A longer timer would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The questions that a person or the client's model answers. */
const QUESTIONS: ReadonlySet<unknown> = new Set(["elicitation/create", "sampling/createMessage"]);

/** What the messages of a connection do to a clock. */
interface Timer {
  readonly token: unknown;
  readonly stand: () => void;
  readonly startAnew: () => void;
}

/** Creates the clocks of one connection. */
export function createCallClocks(): CallClocks {
  const running = new SlotSet<Timer>();
  /** The clocks that each open question holds. */
  const questions = new Map<unknown, readonly Timer[]>();

  function startAnew(timer: Timer): void {
    const isHeld = [...questions.values()].some((held) => held.includes(timer));
    if (!isHeld) timer.startAnew();
  }
  function ended(question: unknown): void {
    const held = questions.get(question) ?? [];
    questions.delete(question);
    held.forEach(startAnew);
  }

  return {
    start(options) {
      const { timer, stop } = startTimer(options, running);
      return { progressed: () => startAnew(timer), stop };
    },
    fromServer({ method, id, params }) {
      const { requestId, progressToken } = isRecord(params) ? params : {};
      if (QUESTIONS.has(method) && id !== undefined) {
        questions.set(id, [...running.values()]);
        for (const timer of running.values()) timer.stand();
      } else if (method === "notifications/cancelled") {
        ended(requestId);
      } else if (method === "notifications/progress" && progressToken !== undefined) {
        for (const timer of running.values()) if (timer.token === progressToken) startAnew(timer);
      }
    },
    fromClient({ id }) {
      ended(id);
    },
  };
}

function startTimer(
  { token, milliseconds, onTime }: ClockOptions,
  running: SlotSet<Timer>,
): { readonly timer: Timer; readonly stop: () => void } {
  let left = milliseconds * MOST_EXTENSIONS;
  let startedAt = 0;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  function start(): void {
    startedAt = performance.now();
    timeout = setTimeout(end, Math.min(milliseconds, left, LONGEST_MS));
  }
  function stop(): void {
    isOver = true;
    clearTimeout(timeout);
    leave();
  }
  function end(): void {
    stop();
    onTime();
  }
  function stand(): void {
    if (timeout === undefined) return;
    clearTimeout(timeout);
    timeout = undefined;
    left = Math.max(0, left - (performance.now() - startedAt));
  }
  function startAnew(): void {
    if (isOver) return;
    stand();
    start();
  }

  const timer = { token, stand, startAnew };
  const leave = running.add(timer);
  start();
  return { timer, stop };
}

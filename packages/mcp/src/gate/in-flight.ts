import { SlotMap } from "@toolcontract/core/adapter";
import { type CallClocks, createCallClocks } from "../limits/index.ts";
import type { LostCall, Message, RequestId, ServerResponse } from "../wire/index.ts";
import { DROP, type Ruling } from "./link.ts";
import { thrownByLost } from "./lost-call.ts";
import { CANCELLED } from "./operations.ts";

/** A server's response, and how the client may see it. */
interface ReceivedResponse {
  readonly message: Message;
  readonly response: ServerResponse;
  /** The message within its limit of size; the same one if it fits. */
  readonly cut: Message;
  /** Whether it stands for the server's, which has not come. */
  readonly isOurs?: boolean;
}

/** What is done with the response to a request. */
export interface Expected {
  /** Gives the message that the client gets instead; undefined for the server's own. */
  readonly settle: (
    received: ReceivedResponse,
  ) => Message | undefined | Promise<Message | undefined>;
  /** Whether it is reported if the response is relayed unread: a stage waits for it, or clients are shown other schemas. */
  readonly mustBeRead?: boolean;
  /** Notes that the call is over, and how the server took it will not be known. */
  readonly unanswered?: () => void;
  /** Ends the wait of a stage: the client has cancelled the call, or nobody reads the response. */
  readonly abort?: () => void;
  /** Tells a stage what the call came to in place of a response; gives the message that the client gets, if it is the contract's. */
  readonly fail?: (thrown: Error) => Promise<Message | undefined>;
}

/** A ruling on a call, and what is done with the server's response if the call is forwarded. */
export interface Decision {
  readonly ruling: Ruling;
  readonly expects?: Expected;
}

/** The limits of a call. */
interface FlightLimits {
  /** Stops the call's clock and gives its place in the queue back. */
  readonly end: () => void;
  /** Cuts a result; undefined if it fits. `text` gives the text of the message. */
  readonly cut: (message: Message, result: Message, text?: () => string) => Message | undefined;
}

/** A client's request on its way to the server and back. */
export interface InFlight {
  /** Undefined if no response can be matched to it. */
  readonly id: RequestId | undefined;
  /** Aborted if the client cancels the request before it is sent, or its connection ends. */
  readonly signal: () => AbortSignal;
  readonly abort: () => void;
  readonly isAborted: () => boolean;
  expects: Expected | undefined;
  limits: FlightLimits | undefined;
  /** Judges a result as the client would get it; gives another message, if it is to get one. */
  checkResult: ((message: Message) => Message | undefined) | undefined;
  /** Records the end of the call, with the class of the error that it ended in. */
  measure: ((error: string | undefined) => void) | undefined;
  /** The call's time is over, and it has its answer: a late response is dropped. */
  isOver: boolean;
}

/** Creates the record of a request. */
export function createInFlight(
  id: RequestId | undefined,
  { expects, measure }: Partial<Pick<InFlight, "expects" | "measure">> = {},
): InFlight {
  // Most calls are never held, and creating a controller takes longer than deciding on them.
  let controller: AbortController | undefined;
  return {
    id,
    signal: () => (controller ??= new AbortController()).signal,
    abort: () => controller?.abort(),
    isAborted: () => controller?.signal.aborted ?? false,
    expects,
    limits: undefined,
    checkResult: undefined,
    measure,
    isOver: false,
  };
}

/** The requests of one link that have no answer yet, as far as the gate needs to know of them. */
export interface Flights {
  /** Lets a request be cancelled until its ruling is known; it is dropped if it fails after that. */
  readonly hold: (flight: InFlight, ruling: Promise<Ruling>) => Promise<Ruling>;
  /** Notes that a request is sent to the server. */
  readonly sent: (flight: InFlight) => void;
  /** The request that a response answers; undefined if nothing waits for it. */
  readonly take: (id: RequestId) => InFlight | undefined;
  /** The same for a response that is not read. */
  readonly find: (id: RequestId) => InFlight | undefined;
  /** Ends what waits for the response: it will not come, or is not read. */
  readonly end: (flight: InFlight) => void;
  /** The same if the client wants no answer any more, or none can be matched to it. */
  readonly lose: (flight: InFlight) => void;
  /** Ends the limits alone: no response will come on the request's own connection. */
  readonly endLimits: (flight: InFlight) => void;
  /** Cancels a request; true if it was not sent yet. With `lost`, a stage hears that of one that was sent. */
  readonly cancel: (id: RequestId, lost?: LostCall) => boolean;
  /** The clocks of those that have a limit of time. */
  readonly clocks: () => CallClocks;
  /** Tells the clocks what else is exchanged: a request or notification of the server, or a response of the client. */
  readonly heard: (from: "fromServer" | "fromClient", message: Message) => void;
  /** Whether a response is waited for. */
  readonly isAwaiting: () => boolean;
  /** Ends them all. */
  readonly close: () => void;
}

/** The oldest request that waits for its response is forgotten above this many. */
const MAX_SENT = 10_000;

/** The connection has ended, or no response can be matched to the request any more. */
const LOST: LostCall = { kind: "unanswered", how: "client" };
/** The request was cancelled, or its connection has ended, while it was held. */
const NOT_SENT: LostCall = { kind: "not-sent", code: "cancelled" };

/** Creates the register of one link. */
export function createFlights(): Flights {
  const held = new SlotMap<RequestId, InFlight>();
  const waiting = new SlotMap<RequestId, InFlight>();
  let clocks: CallClocks | undefined;

  function forget(flight: InFlight): void {
    const { id } = flight;
    if (id !== undefined && waiting.get(id) === flight) waiting.take(id);
  }

  function endLimits(flight: InFlight): void {
    flight.limits?.end();
    flight.limits = undefined;
    if (!isWaiting(flight)) forget(flight);
  }

  function end(flight: InFlight): void {
    const { expects } = flight;
    flight.expects = undefined;
    flight.checkResult = undefined;
    flight.abort();
    expects?.abort?.();
    expects?.unanswered?.();
    endLimits(flight);
  }

  function measureCancelled(flight: InFlight): void {
    const { measure } = flight;
    flight.measure = undefined;
    measure?.(CANCELLED);
  }

  function lose(flight: InFlight): void {
    measureCancelled(flight);
    if (!fail(flight, LOST)) end(flight);
  }

  /** Tells a stage how its call ended, which nobody reads: it matters to the next call. False if there is no stage. */
  function fail(flight: InFlight, lost: LostCall): boolean {
    const { expects } = flight;
    if (expects?.fail === undefined) return false;
    flight.expects = undefined;
    endLimits(flight);
    expects.fail(thrownByLost(lost)).catch(() => undefined);
    return true;
  }

  /** Drops a request that was not sent. */
  function drop(flight: InFlight): void {
    fail(flight, NOT_SENT);
    end(flight);
  }

  return {
    async hold(flight, ruling) {
      const { id } = flight;
      if (id === undefined) return ruling;
      const signal = flight.signal();
      held.set(id, flight);
      try {
        return await ruling;
      } catch (thrown) {
        // The client cancelled the request, so its error does not matter.
        if (signal.aborted) return DROP;
        throw thrown;
      } finally {
        if (held.get(id) === flight) held.take(id);
      }
    },
    sent(flight) {
      const { id } = flight;
      if (id === undefined || !isWaiting(flight)) return;
      const twin = waiting.get(id);
      if (twin) lose(twin);
      waiting.set(id, flight);
      if (waiting.size <= MAX_SENT) return;
      const [oldest] = waiting.values();
      if (oldest === undefined) return;
      lose(oldest);
      forget(oldest);
    },
    take(id) {
      const flight = waiting.get(id);
      if (flight) forget(flight);
      return flight;
    },
    find: (id) => waiting.get(id),
    end,
    lose,
    endLimits,
    cancel(id, lost) {
      const early = held.get(id);
      if (early) drop(early);
      const late = waiting.get(id);
      if (late) measureCancelled(late);
      if (late && !(lost && fail(late, lost))) end(late);
      return early !== undefined;
    },
    clocks: () => (clocks ??= createCallClocks()),
    heard: (from, message) => clocks?.[from](message),
    isAwaiting: () => waiting.size > 0,
    close() {
      for (const flight of held.values()) {
        measureCancelled(flight);
        drop(flight);
      }
      for (const flight of waiting.values()) {
        lose(flight);
        forget(flight);
      }
    },
  };
}

function isWaiting({ expects, limits, checkResult, measure, isOver }: InFlight): boolean {
  return isOver || (expects ?? limits ?? checkResult ?? measure) !== undefined;
}

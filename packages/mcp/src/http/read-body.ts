import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import type { BodyBudget, BodyShare } from "./body-budget.ts";

/** A complete body, or the beginning of one that exceeds the limit. */
export interface Body {
  readonly bytes: Buffer;
  readonly whole: boolean;
  /** What it uses of the budget, until it is closed; a body that came in one packet is not counted. */
  readonly share?: BodyShare | undefined;
}

/** A body whose sender broke off. */
export class BodyCutOff extends Error {}

/**
 * Reads a body up to `maxBytes`; the rest of a longer one stays in the stream, which is paused. Rejects if the budget
 * gives it up.
 */
export async function readBody(
  message: IncomingMessage,
  maxBytes: number,
  budget?: BodyBudget,
): Promise<Body> {
  await packetParsed;
  return arrivedBody(message, maxBytes, budget);
}

/** Node reports a message before it has parsed the rest of the packet, which usually holds a short body: wait for this. */
export const packetParsed: Promise<void> = Promise.resolve();

/** The same as {@link readBody} once the packet is parsed; without a promise for a body that has arrived. */
export function arrivedBody(
  message: IncomingMessage,
  maxBytes: number,
  budget?: BodyBudget,
): Body | Promise<Body> {
  const bytes = takeArrived(message);
  const isAll = message.complete || bytes.length === Number(message.headers["content-length"]);
  if (isAll || bytes.length > maxBytes) return { bytes, whole: bytes.length <= maxBytes };
  return collect(message, { first: bytes, maxBytes, budget });
}

/** Reads what a decoder makes of bytes, up to `maxBytes`. Rejects if they cannot be decoded or the budget gives it up. */
export async function readDecoded(
  decoder: Transform,
  bytes: Buffer,
  maxBytes: number,
  budget: BodyBudget,
): Promise<Body> {
  // An error after the limit matters to nobody, but would end the process.
  decoder.on("error", () => undefined).end(bytes);
  try {
    return await collect(decoder, { maxBytes, budget });
  } finally {
    decoder.destroy();
  }
}

/** Takes the part of a body that has arrived. */
export function takeArrived(message: IncomingMessage): Buffer {
  const bytes: unknown = message.read();
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}

/** A stream may stay silent for long, and its client wants to see the response head. */
const HEAD_MS = 5;

/** Waits a moment for the beginning of a body, which usually arrives in the packet after the head. */
export async function firstArrival(message: IncomingMessage): Promise<void> {
  if (message.complete || message.readableLength > 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(arrived, HEAD_MS);
    function arrived(): void {
      clearTimeout(timer);
      message.off("readable", arrived).off("close", arrived);
      resolve();
    }
    message.on("readable", arrived).on("close", arrived);
  });
}

interface Collecting {
  readonly first?: Buffer;
  readonly maxBytes: number;
  readonly budget: BodyBudget | undefined;
}

async function collect(
  stream: Readable,
  { first = Buffer.alloc(0), maxBytes, budget }: Collecting,
): Promise<Body> {
  let chunks = [first];
  let size = first.length;
  return new Promise((resolve, reject) => {
    const share = budget?.open((reason) => {
      stop();
      chunks = [];
      reject(reason);
    });
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) settle(false);
      else share?.add(chunk.length);
    };
    const onEnd = (): void => {
      settle(true);
    };
    const onClose = (): void => {
      stop();
      share?.close();
      reject(new BodyCutOff());
    };
    function stop(): void {
      stream.pause();
      stream.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
    }
    function settle(whole: boolean): void {
      stop();
      share?.arrived();
      resolve({ bytes: Buffer.concat(chunks), whole, share });
    }
    stream.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    share?.add(first.length);
  });
}

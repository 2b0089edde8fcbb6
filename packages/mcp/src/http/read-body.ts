import type { Readable } from "node:stream";

/** A body that was read whole, or the beginning of one that is too long to be looked at. */
export interface Body {
  readonly bytes: Buffer;
  readonly whole: boolean;
}

/** Reads a body up to `maxBytes`; the rest of a longer one stays in the stream, which is paused. */
export async function readBody(stream: Readable, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) settle(false);
    };
    const onEnd = (): void => {
      settle(true);
    };
    const onClose = (): void => {
      stop();
      reject(new Error("The body ended too early"));
    };
    function stop(): void {
      stream.pause();
      stream.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
    }
    function settle(whole: boolean): void {
      stop();
      resolve({ bytes: Buffer.concat(chunks), whole });
    }
    stream.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}

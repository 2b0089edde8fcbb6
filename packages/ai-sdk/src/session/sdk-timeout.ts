import { isRecord, readMember } from "@toolcontract/core/adapter";
import type { RequestTimeout } from "@toolcontract/session";

/** The SDK's own time limits of one run (`timeout` of generateText and streamText), taken over by the session. */
export interface SdkTimeout {
  /** Reads them when the SDK begins. */
  readonly onStart: (event: { readonly timeout?: unknown }) => void;
  /** The times of a request that follow from them. */
  readonly times: RequestTimeout;
}

/**
 * The SDK ends the whole call when one of its times is over, for good. A request of the session has a little less, so that it
 * fails first and the next target is asked.
 */
const SHARE = 0.9;

/** Creates the reader for one run. */
export function createSdkTimeout(): SdkTimeout {
  let times: RequestTimeout = {};
  return {
    onStart({ timeout }) {
      if (!isRecord(timeout)) return;
      const { firstChunkMs, chunkMs, stepMs } = timeout;
      times = {
        ...of("firstToken", firstChunkMs),
        ...of("silence", chunkMs),
        ...of("total", stepMs),
      };
    },
    get times() {
      return times;
    },
  };
}

function of(name: keyof RequestTimeout, milliseconds: unknown): RequestTimeout {
  if (typeof milliseconds !== "number" || !(milliseconds >= 1)) return {};
  return { [name]: Math.max(1, Math.floor(milliseconds * SHARE)) };
}

/** Whether one of the SDK's times for a step or a chunk aborted a signal, and not the caller. */
export function isSdkTimeout(reason: unknown): boolean {
  if (readMember(reason, "name") !== "TimeoutError") return false;
  const message = readMember(reason, "message");
  return (
    typeof message === "string" &&
    /^(?:Step|First chunk|Chunk) timeout of \d+(?:\.\d+)?ms exceeded$/.test(message)
  );
}

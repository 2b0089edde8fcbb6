import { createAsker } from "./asker.ts";

/** A worker that starts with its first request; after it has ended or failed, the next request starts another. */
export interface LazyWorker<Request, Reply> {
  /**
   * Asks the worker. Code other than that of the running worker replaces the worker.
   *
   * @throws WorkerFailedError if the worker failed, UnaskedError if it sent what it was not asked for, a `DOMException`
   * named "AbortError" if it was ended.
   */
  ask(request: Request, options?: AskOptions): Promise<Reply>;
  end(): void;
}

interface AskOptions {
  /** The code of a tool in zod, if there is one. */
  readonly code?: string | undefined;
  /** Called when the worker begins with the request, once it is loaded. */
  readonly onBegun?: () => void;
}

/** A worker, with what else ends when it ends. */
export interface StartedWorker {
  readonly worker: Worker;
  readonly end: () => void;
}

/** The worker failed and has ended. It has no message if its script could not be loaded. */
export class WorkerFailedError extends Error {
  override readonly name = "WorkerFailedError";
}

/**
 * Creates a client of a worker. What an ended worker still sends is ignored.
 *
 * @param start - Starts the worker, with the code of a tool in zod if there is one.
 * @param read - Checks a reply, and throws if it is none: a worker is not trusted.
 */
export function lazyWorker<Request, Reply>(
  start: (code: string | undefined) => StartedWorker,
  read: (reply: unknown) => Reply,
): LazyWorker<Request, Reply> {
  interface Current extends ReturnType<typeof started> {
    readonly code: string | undefined;
  }
  let current: Current | undefined;

  function end(reason: Error): void {
    const ended = current;
    current = undefined;
    ended?.end();
    ended?.asker.fail(reason);
  }

  function started(code: string | undefined) {
    const { worker, end: endWorker } = start(code);
    const asker = createAsker(
      (message) => worker.postMessage(message),
      () => end(aborted()),
    );
    worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (current?.asker === asker) asker.take(data);
    });
    worker.addEventListener("error", (event) => {
      // Otherwise the browser reports it as an error of the page.
      event.preventDefault();
      if (current?.asker === asker) end(new WorkerFailedError(reasonOf(event)));
    });
    return { asker, end: endWorker };
  }

  return {
    ask: (request, { code, onBegun } = {}) => {
      if (current?.code !== code) end(aborted());
      current ??= { ...started(code), code };
      return current.asker.ask(request, read, onBegun);
    },
    end: () => end(aborted()),
  };
}

function aborted(): DOMException {
  return new DOMException("The worker was ended.", "AbortError");
}

/** Why a worker failed, for a person. */
function reasonOf({ message }: Partial<ErrorEvent>): string {
  return message?.replace(/^Uncaught /, "") || "the worker could not be started";
}

/** A worker that starts with its first request; after it has ended or failed, the next request starts another. */
export interface LazyWorker<Request> {
  /** Sends a request. Code other than that of the running worker replaces the worker. */
  post(request: Request, code?: string): void;
  end(): void;
}

interface Events<Reply> {
  readonly onReply: (reply: Reply) => void;
  /** The worker has failed and ended; the event has no message if its script could not be loaded or parsed. */
  readonly onFailure: (event: ErrorEvent, code: string | undefined) => void;
}

/**
 * Creates a client of a worker. What an ended worker still sends is ignored.
 *
 * @param start - Starts the worker, with the code of a tool in zod if there is one.
 */
export function lazyWorker<Request, Reply>(
  start: (code: string | undefined) => Worker,
  { onReply, onFailure }: Events<Reply>,
): LazyWorker<Request> {
  let current: { readonly worker: Worker; readonly code: string | undefined } | undefined;

  function end(): void {
    current?.worker.terminate();
    current = undefined;
  }

  function started(code: string | undefined): Worker {
    const worker = start(code);
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      if (current?.worker === worker) onReply(data);
    });
    worker.addEventListener("error", (event) => {
      // Otherwise the browser reports it as an error of the page.
      event.preventDefault();
      if (current?.worker !== worker) return;
      end();
      onFailure(event, code);
    });
    current = { worker, code };
    return worker;
  }

  return {
    post: (request, code) => {
      if (current?.code !== code) end();
      const worker = current?.worker ?? started(code);
      worker.postMessage(request);
    },
    end,
  };
}

/** Why a worker failed, for a person. */
export function reasonOf({ message }: Partial<ErrorEvent>): string {
  return message || "the worker could not be started";
}

/** A worker that answers and fails when the test says so. */
export class ScriptedWorker extends EventTarget {
  readonly requests: unknown[] = [];
  isTerminated = false;

  postMessage(request: unknown): void {
    this.requests.push(structuredClone(request));
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** Returns whether the browser would report the error as one of the page. */
  fail(message?: string, lineno = 0): boolean {
    const event = new Event("error", { cancelable: true });
    return this.dispatchEvent(Object.assign(event, { message, lineno }));
  }
}

/** Starts scripted workers and keeps them in the order in which they started. */
export function scriptedWorkers() {
  const workers: ScriptedWorker[] = [];
  const start = (): Worker => {
    const worker = new ScriptedWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  };
  return { workers, start };
}

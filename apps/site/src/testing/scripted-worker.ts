interface Asked {
  readonly id: number;
  readonly request: unknown;
}

/** A worker that answers and fails when the test says so. */
export class ScriptedWorker extends EventTarget {
  readonly #asked: Asked[] = [];
  isTerminated = false;

  get requests(): readonly unknown[] {
    return this.#asked.map(({ request }) => request);
  }

  postMessage(message: unknown): void {
    this.#asked.push(structuredClone(message) as Asked);
  }

  /** Says that it begins with a request, the last one by default. */
  begin(index = -1): void {
    this.send({ id: this.#asked.at(index)?.id, begun: true });
  }

  /** Answers a request, the last one by default. */
  answer(reply: unknown, index = -1): void {
    this.send({ id: this.#asked.at(index)?.id, reply });
  }

  /** Sends anything. */
  send(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** Returns whether the browser would report the error as one of the page. */
  fail(message?: string): boolean {
    const event = new Event("error", { cancelable: true });
    return this.dispatchEvent(Object.assign(event, { message }));
  }
}

/** Starts scripted workers and keeps them in the order in which they started. */
export function scriptedWorkers() {
  const workers: ScriptedWorker[] = [];
  const start = () => {
    const scripted = new ScriptedWorker();
    workers.push(scripted);
    const end = (): void => void (scripted.isTerminated = true);
    return { worker: scripted as unknown as Worker, end };
  };
  return { workers, start };
}

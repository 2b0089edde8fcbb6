import { expect, test } from "vitest";
import type { PeerAnswer, PeerRequest } from "./peer-answer.ts";
import { createPeersClient } from "./peers-client.ts";

/** A worker that answers when the test says so. */
class ScriptedWorker extends EventTarget {
  readonly asked: PeerRequest[] = [];
  isTerminated = false;

  postMessage(request: PeerRequest): void {
    this.asked.push(structuredClone(request));
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(text: string): void {
    this.dispatchEvent(new MessageEvent("message", { data: answersWith(text) }));
  }

  /** Returns whether the browser would report it as an error of the page. */
  fail(message?: string): boolean {
    const event = new Event("error", { cancelable: true });
    return this.dispatchEvent(Object.assign(event, message === undefined ? {} : { message }));
  }
}

const request: PeerRequest = { tool: { name: "do_it", schema: { type: "object" } }, text: "{}" };

function answersWith(text: string): readonly PeerAnswer[] {
  return [{ peer: "AI SDK", how: "", declared: "zod", outcome: "answered", text }];
}

function scripted() {
  const workers: ScriptedWorker[] = [];
  const client = createPeersClient(() => {
    const worker = new ScriptedWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  return { client, workers };
}

test("the worker starts with the first request, and takes the next one", async () => {
  const { client, workers } = scripted();
  expect(workers).toHaveLength(0);
  const first = client.ask(request);
  workers[0]?.answer("one");
  await expect(first).resolves.toEqual(answersWith("one"));
  const second = client.ask(request);
  workers[0]?.answer("two");
  await expect(second).resolves.toEqual(answersWith("two"));
  expect(workers[0]?.asked).toEqual([request, request]);
});

test("a request that is stopped is rejected, its worker ended, and its late answer lost", async () => {
  const { client, workers } = scripted();
  const stopped = client.ask(request);
  client.stop();
  await expect(stopped).rejects.toHaveProperty("name", "AbortError");
  expect(workers[0]?.isTerminated).toBe(true);

  const next = client.ask(request);
  workers[0]?.answer("late");
  workers[0]?.fail("late");
  workers[1]?.answer("new");
  await expect(next).resolves.toEqual(answersWith("new"));
});

test("a request stops the one before it", async () => {
  const { client, workers } = scripted();
  const first = client.ask(request);
  const second = client.ask(request);
  await expect(first).rejects.toHaveProperty("name", "AbortError");
  workers[1]?.answer("two");
  await expect(second).resolves.toEqual(answersWith("two"));
});

test("stop keeps a worker that has nothing to do", async () => {
  const { client, workers } = scripted();
  client.stop();
  const asked = client.ask(request);
  workers[0]?.answer("one");
  await asked;
  client.stop();
  expect(workers[0]?.isTerminated).toBe(false);
});

test.each([
  ["Uncaught Error: no", "The frameworks could not be asked: Uncaught Error: no"],
  [undefined, "The frameworks could not be asked: the worker could not be started"],
])(
  "a worker that fails with %j rejects, and the next request starts another",
  async (message, expected) => {
    const { client, workers } = scripted();
    const failed = client.ask(request);
    expect(workers[0]?.fail(message)).toBe(false);
    await expect(failed).rejects.toThrow(expected);
    const next = client.ask(request);
    workers[1]?.answer("one");
    await expect(next).resolves.toEqual(answersWith("one"));
  },
);

import { expect, test } from "vitest";
import { createTokenCounter, type TokenCounter, tokensInWords } from "./index.ts";
import { keyOf } from "./key-of.ts";
import type { CountReply, CountRequest } from "./token-counter.ts";

/** A worker that answers when the test says so: a token for each character. */
class ScriptedWorker extends EventTarget {
  readonly asked: CountRequest[] = [];
  isTerminated = false;

  postMessage(request: CountRequest): void {
    this.asked.push(structuredClone(request));
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer({ key, text }: CountRequest): void {
    const data: CountReply = { key, count: { tokens: text.length, isCut: false } };
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** Says whether the browser still reports the error as one of the page. */
  fail(message?: string): boolean {
    return this.dispatchEvent(
      Object.assign(
        new Event("error", { cancelable: true }),
        message === undefined ? {} : { message },
      ),
    );
  }
}

function scripted(known: ReadonlyMap<string, number> = new Map()): {
  readonly counter: TokenCounter;
  readonly workers: readonly ScriptedWorker[];
} {
  const workers: ScriptedWorker[] = [];
  const counter = createTokenCounter(known, () => {
    const worker = new ScriptedWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  return { counter, workers };
}

test("what is known needs no worker", () => {
  const { counter, workers } = scripted(new Map([[keyOf("hello"), 1]]));
  expect(counter.count("hello")).toEqual({ tokens: 1, isCut: false });
  expect(counter.count("")).toEqual({ tokens: 0, isCut: false });
  expect(workers).toEqual([]);
});

test("another text is counted in the worker, once", async () => {
  const { counter, workers } = scripted();
  const first = counter.count("abc");
  const same = counter.count("abc");
  const other = counter.count("abcd");
  expect(workers.flatMap(({ asked }) => asked.map(({ text }) => text))).toEqual(["abc", "abcd"]);
  const [worker] = workers;
  for (const request of worker?.asked.toReversed() ?? []) worker?.answer(request);
  await expect(first).resolves.toEqual({ tokens: 3, isCut: false });
  await expect(same).resolves.toEqual({ tokens: 3, isCut: false });
  await expect(other).resolves.toEqual({ tokens: 4, isCut: false });
  expect(counter.count("abc")).toEqual({ tokens: 3, isCut: false });
  expect(workers).toHaveLength(1);
});

test("counting that is stopped is rejected, its worker ended, and its late answer lost", async () => {
  const { counter, workers } = scripted();
  const stopped = counter.count("abc");
  counter.stop();
  await expect(stopped).rejects.toHaveProperty("name", "AbortError");
  expect(workers[0]?.isTerminated).toBe(true);
  const again = counter.count("abc");
  workers[0]?.asked.forEach((request) => workers[0]?.answer({ ...request, text: "late" }));
  workers[1]?.asked.forEach((request) => workers[1]?.answer(request));
  await expect(again).resolves.toEqual({ tokens: 3, isCut: false });
});

test("stopping ends no worker that has nothing to do", async () => {
  const { counter, workers } = scripted();
  const counted = counter.count("abc");
  workers[0]?.asked.forEach((request) => workers[0]?.answer(request));
  await counted;
  counter.stop();
  expect(workers[0]?.isTerminated).toBe(false);
});

test.each([
  ["out of memory", "out of memory"],
  [undefined, "the worker could not be started"],
])(
  "a worker that fails (%j) rejects what it was asked, and the next text has a new one",
  async (message, reason) => {
    const { counter, workers } = scripted();
    const lost = counter.count("abc");
    expect(workers[0]?.fail(message)).toBe(false);
    await expect(lost).rejects.toThrow(`The tokens could not be counted: ${reason}`);
    const again = counter.count("abc");
    workers[1]?.asked.forEach((request) => workers[1]?.answer(request));
    await expect(again).resolves.toEqual({ tokens: 3, isCut: false });
  },
);

test("only the counts of the last texts are kept", () => {
  const { counter, workers } = scripted();
  const texts = Array.from({ length: 501 }, (_, index) => `text ${index}`);
  for (const text of texts) void counter.count(text);
  const asked = workers[0]?.asked ?? [];
  for (const request of asked.slice()) workers[0]?.answer(request);
  expect(counter.count("text 500")).toEqual({ tokens: 8, isCut: false });
  expect(counter.count("text 1")).toEqual({ tokens: 6, isCut: false });
  void counter.count("text 0");
  expect(asked.at(-1)?.text).toBe("text 0");
});

test.each([
  [{ tokens: 1, isCut: false }, "1 token"],
  [{ tokens: 0, isCut: false }, "0 tokens"],
  [{ tokens: 1_234, isCut: false }, "1,234 tokens"],
  [{ tokens: 25_120, isCut: true }, "more than 25,120 tokens"],
])("%j is shown as %j", (count, words) => {
  expect(tokensInWords(count)).toBe(words);
});

import { expect, test } from "vitest";
import { type ScriptedWorker, scriptedWorkers } from "../../testing/scripted-worker.ts";
import { createTokenCounter, tokensInWords } from "./index.ts";
import { keyOf } from "./key-of.ts";

function scripted(known: ReadonlyMap<string, number> = new Map()) {
  const { workers, start } = scriptedWorkers();
  /** Answers a request of a worker with a token for each character. */
  function answer(worker: ScriptedWorker | undefined, index: number): void {
    const tokens = String(worker?.requests[index]).length;
    worker?.answer({ tokens, isCut: false }, index);
  }
  return { counter: createTokenCounter(known, start), workers, answer };
}

test("what is known needs no worker", () => {
  const { counter, workers } = scripted(new Map([[keyOf("hello"), 1]]));
  expect(counter.count("hello")).toEqual({ tokens: 1, isCut: false });
  expect(counter.count("")).toEqual({ tokens: 0, isCut: false });
  expect(workers).toEqual([]);
});

test("an unknown string is counted in the worker, once", async () => {
  const { counter, workers, answer } = scripted();
  const first = counter.count("abc");
  const same = counter.count("abc");
  const other = counter.count("abcd");
  const [worker] = workers;
  expect(worker?.requests).toEqual(["abc", "abcd"]);
  for (const index of [1, 0]) answer(worker, index);
  await expect(first).resolves.toEqual({ tokens: 3, isCut: false });
  await expect(same).resolves.toEqual({ tokens: 3, isCut: false });
  await expect(other).resolves.toEqual({ tokens: 4, isCut: false });
  expect(counter.count("abc")).toEqual({ tokens: 3, isCut: false });
  expect(workers).toHaveLength(1);
});

test("a worker that fails rejects what it was asked, and the next string is counted", async () => {
  const { counter, workers, answer } = scripted();
  const lost = counter.count("abc");
  workers[0]?.fail("out of memory");
  await expect(lost).rejects.toThrow("The tokens could not be counted: out of memory");
  const again = counter.count("abc");
  answer(workers[1], 0);
  await expect(again).resolves.toEqual({ tokens: 3, isCut: false });
});

test("only the last counts are kept", async () => {
  const { counter, workers, answer } = scripted();
  const texts = Array.from({ length: 501 }, (_, index) => `text ${index}`);
  const counts = texts.map(async (text) => counter.count(text));
  const [worker] = workers;
  for (const index of texts.keys()) answer(worker, index);
  await Promise.all(counts);
  expect(counter.count("text 500")).toEqual({ tokens: 8, isCut: false });
  expect(counter.count("text 1")).toEqual({ tokens: 6, isCut: false });
  void counter.count("text 0");
  expect(worker?.requests.at(-1)).toBe("text 0");
});

test.each([
  [{ tokens: 1, isCut: false }, "1 token"],
  [{ tokens: 0, isCut: false }, "0 tokens"],
  [{ tokens: 1_234, isCut: false }, "1,234 tokens"],
  [{ tokens: 25_120, isCut: true }, "more than 25,120 tokens"],
])("%j is shown as %j", (count, words) => {
  expect(tokensInWords(count)).toBe(words);
});

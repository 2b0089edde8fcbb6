import { expect, test } from "vitest";
import { scriptedWorkers } from "../testing/scripted-worker.ts";
import { lazyWorker, reasonOf } from "./lazy-worker.ts";

function scripted() {
  const { workers, start } = scriptedWorkers();
  const replies: unknown[] = [];
  const failures: unknown[] = [];
  const codes: unknown[] = [];
  const worker = lazyWorker<string, string>(
    (code) => {
      codes.push(code);
      return start();
    },
    {
      onReply: (reply) => replies.push(reply),
      onFailure: (event, code) => failures.push([reasonOf(event), code]),
    },
  );
  return { worker, workers, replies, failures, codes };
}

test("the worker starts with the first request, and takes the next one", () => {
  const { worker, workers, replies } = scripted();
  expect(workers).toHaveLength(0);
  worker.post("one");
  worker.post("two");
  workers[0]?.answer("1");
  workers[0]?.answer("2");
  expect(workers.map(({ requests }) => requests)).toEqual([["one", "two"]]);
  expect(replies).toEqual(["1", "2"]);
});

test("other code replaces the worker", () => {
  const { worker, workers, codes } = scripted();
  worker.post("one");
  worker.post("two", "z.string()");
  worker.post("three", "z.string()");
  worker.post("four", "z.number()");
  expect(workers.map(({ requests }) => requests)).toEqual([["one"], ["two", "three"], ["four"]]);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true, false]);
  expect(codes).toEqual([undefined, "z.string()", "z.number()"]);
});

test("what an ended worker still sends is ignored", () => {
  const { worker, workers, replies, failures } = scripted();
  worker.post("one");
  worker.end();
  expect(workers[0]?.isTerminated).toBe(true);
  worker.post("two");
  workers[0]?.answer("late");
  expect(workers[0]?.fail("late")).toBe(false);
  workers[1]?.answer("2");
  expect([replies, failures]).toEqual([["2"], []]);
});

test.each([
  ["out of memory", "out of memory"],
  ["", "the worker could not be started"],
  [undefined, "the worker could not be started"],
])(
  "a worker that fails with %j has ended, and the next request starts another",
  (message, reason) => {
    const { worker, workers, failures } = scripted();
    worker.post("one", "z.string()");
    expect(workers[0]?.fail(message)).toBe(false);
    expect(workers[0]?.isTerminated).toBe(true);
    expect(failures).toEqual([[reason, "z.string()"]]);
    worker.post("two", "z.string()");
    expect(workers[1]?.requests).toEqual(["two"]);
  },
);
